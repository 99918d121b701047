import { describe, expect, test } from 'vitest';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { plain, RECEIVED, refusalOf } from '../../helpers/files/imports.ts';
import { file, type Imports } from './harness.ts';

/** What holds whatever the file is. */
export function anyFileTests({ importFile, importChunks, values }: Imports): void {
  describe('any file', () => {
    test('is told by its settings, then its media type, then its first character', async () => {
      const text = '{"a":1}\n';
      expect((await importFile(text)).result.stored).toBe(1);
      expect((await importFile(text, { type: 'application/x-ndjson' })).result.stored).toBe(1);
      expect(await refusalOf(importFile(text, { type: 'text/csv' }))).toBe('The file holds no rows of data.');
      expect(
        (await importFile(text, { type: 'text/csv', settings: { format: 'ndjson' } })).result.stored,
      ).toBe(1);
    });

    test('must hold something', async () => {
      expect(await refusalOf(importFile(''))).toBe('The file is empty.');
      expect(await refusalOf(importFile('time,a\n'))).toBe('The file holds no rows of data.');
      expect(await refusalOf(importFile('time,a\n', { settings: { time_column: 'time' } }))).toBe(
        'The file holds no rows of data.',
      );
      expect(await refusalOf(importFile('\n', { type: 'application/x-ndjson' }))).toBe(
        'The file holds no rows of data.',
      );
      expect(await refusalOf(importFile('[{"a":1}]'))).toMatch(/^The file is a JSON array/);
    });

    test('must be UTF-8, with or without a byte order mark', async () => {
      const dos = Buffer.from(file('time,T\u0081r', '2015-02-04 17:51:00,1'), 'latin1');
      expect(await refusalOf(importFile(dos))).toMatch(/^line 1: the file must be UTF-8 text/);
      const late = Buffer.concat([
        Buffer.from('time,a\n'),
        Buffer.from('2015-02-04 17:51:00,x\n'.repeat(4000)),
        Buffer.from([0x41, 0xff]),
      ]);
      expect(await refusalOf(importFile(late))).toMatch(/^line 4002: /);
      expect(await values('\uFEFFtime,°C\n2015-02-04 17:51:00,1')).toEqual([{ '°C': 1 }]);
      const { records } = await importFile('\uFEFFtime,°C\n2015-02-04 17:51:00,ü☃', { chunk: 1 });
      expect(records.map(plain)).toEqual([{ '°C': 'ü☃' }]);
    });

    test('may be long: it comes in parts, with its progress', async () => {
      const rows = 200_000;
      async function* endless() {
        yield Buffer.from('time,a\n');
        for (let row = 0; row < rows; row += 1000)
          yield Buffer.from(
            Array.from({ length: 1000 }, (_, index) => `${1_423_072_260 + row + index},${index}\n`).join(''),
          );
      }
      const heard: number[] = [];
      const { result, largestAdd } = await importChunks(endless(), {
        progress: (bytes) => heard.push(bytes),
      });
      expect(result).toMatchObject({
        stored: rows,
        first: formatMicros(1_423_072_260e6),
        last: formatMicros((1_423_072_260 + rows - 1) * 1e6),
      });
      expect(largestAdd).toBeLessThan(2000);
      expect(heard.length).toBeGreaterThan(100);
      expect(heard).toEqual(heard.toSorted((a, b) => a - b));
    });

    test('must have lines', async () => {
      async function* oneLine() {
        yield Buffer.from('time,a\n2015-02-04 17:51:00,');
        for (let piece = 0; piece < 20; piece++) yield Buffer.alloc(1024 * 1024, 'x');
      }
      expect(await refusalOf(importChunks(oneLine(), { settings: { time_column: '' } }))).toBe(
        'line 2: a line must be at most 16 Mi characters. Nothing was imported.',
      );
    });

    test('leaves nothing when it is cancelled, at any point', async () => {
      const text = file(
        'time,a',
        ...Array.from({ length: 20_000 }, (_, row) => `2015-02-04 17:51:00,${row}`),
      );
      for (const after of [1, 5, 20]) {
        const controller = new AbortController();
        let steps = 0;
        const progress = () => {
          if (++steps === after) controller.abort(new Error('the window closed'));
        };
        await expect(
          importFile(text, { signal: controller.signal, chunk: 10_000, progress }),
        ).rejects.toThrow('the window closed');
      }
      await expect(importFile(text, { signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow(
        'gone',
      );
    });

    test('leaves nothing when its sender fails', async () => {
      async function* broken() {
        yield Buffer.from('time,a\n2015-02-04 17:51:00,1\n'.padEnd(100_000, '\n'));
        throw new Error('connection reset');
      }
      await expect(importChunks(broken())).rejects.toThrow('connection reset');
    });

    test('tells its sender when no more is wanted', async () => {
      let ended = false;
      async function* sender() {
        try {
          for (;;)
            yield Buffer.from(
              'time,a\nyesterday,1\n2015-02-04 17:51:00,1\n2015-02-04 17:52:00,1\n'.padEnd(1000, '\n'),
            );
        } finally {
          ended = true;
        }
      }
      expect(await refusalOf(importChunks(sender()))).toMatch(/^line 2: /);
      expect(ended).toBe(true);
    });

    test('is received when the import starts', async () => {
      const { records } = await importFile('time,a\n2015-02-04 17:51:00,1');
      expect(records).toEqual([
        { timestamp: parseInstant('2015-02-04T17:51:00Z'), received: RECEIVED, keys: ['a'], values: [1] },
      ]);
    });
  });
}
