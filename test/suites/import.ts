import { describe, expect, test } from 'vitest';
import type { ImportSettings } from '#shared/operations/records.ts';
import type { Threads } from '#core/threads/threads.ts';
import { formatMicros, parseInstant } from '#shared/time.ts';
import { importing, plain, RECEIVED, refusalOf } from '../helpers/imports.ts';

const file = (...lines: string[]) => lines.join('\n');

/** What an import promises, wherever the file is read: null is this thread. */
export function importSuite(name: string, threads: Threads | null): void {
  const { importFile, importChunks } = importing(threads);

  async function values(text: string, settings: ImportSettings = {}) {
    const { records } = await importFile(text, { settings });
    return records.map(plain);
  }

  async function times(text: string, settings: ImportSettings = {}) {
    const { records } = await importFile(text, { settings });
    return records.map(({ timestamp }) => formatMicros(timestamp));
  }

  /** An import that came through in spite of bad rows. */
  const kept = (text: string, settings: ImportSettings = {}) =>
    importFile(text, { settings: { ...settings, on_error: 'keep' } });

  describe(name, () => {
    describe('values of CSV', () => {
      test('are numbers, truths and texts; what says "no value" is absent', async () => {
        const text = file(
          'time,a,b,c',
          '2015-02-04 17:51:00,-1.5e3,true,open',
          '2015-02-04 17:52:00,+.5,FALSE,',
          '2015-02-04 17:53:00,NaN,null,NA',
          '2015-02-04 17:54:00,-0,,n/a',
        );
        expect(await values(text)).toEqual([
          { a: -1500, b: true, c: 'open' },
          { a: 0.5, b: false },
          { a: -0 },
        ]);
        const { result } = await importFile(text);
        expect(result).toMatchObject({ stored: 3, skipped: 1 });
        expect(result.notes).toContain('1 row without a value was left out.');
      });

      test('with decimal commas are numbers where commas are not delimiters', async () => {
        expect(await values(file('Zeit;T', '04.02.2015 17:51;21,5', '04.02.2015 17:52;-0,25'))).toEqual([
          { T: 21.5 },
          { T: -0.25 },
        ]);
        expect(await values(file('time,T', '2015-02-04 17:51,"21,5"', '2015-02-04 17:52,3'))).toEqual([
          { T: '21,5' },
          { T: 3 },
        ]);
      });

      test('in quotes are texts where other numbers stand bare, and numbers where everything is quoted', async () => {
        expect(
          await values(file('time,serial,t', '2015-02-04 17:51:00,"007",21.5', '2015-02-04 17:52:00,"",22')),
        ).toEqual([
          { serial: '007', t: 21.5 },
          { serial: '', t: 22 },
        ]);
        expect(
          await values(
            file(
              '"time","serial","t"',
              '"2015-02-04 17:51:00","007","21.5"',
              '"2015-02-04 17:52:00","","22"',
            ),
          ),
        ).toEqual([{ serial: '007', t: 21.5 }, { t: 22 }]);
      });

      test('of a column called timestamp that is not the time get another key', async () => {
        const text = file('timestamp,logged', '5,2015-02-04 17:51:00');
        expect(await values(text)).toEqual([{ 'timestamp column': 5 }]);
      });

      test('are those of the chosen columns', async () => {
        const text = file('index,time,a,b', '1,2015-02-04 17:51:00,3,4', '2,2015-02-04 17:52:00,5,');
        expect(await values(text)).toEqual([{ a: 3, b: 4 }, { a: 5 }]);
        expect(await values(text, { columns: 'b, index' })).toEqual([{ index: 1, b: 4 }, { index: 2 }]);
        expect(await refusalOf(importFile(text, { settings: { columns: 'a,c' } }))).toBe(
          'columns must be some of "index", "time", "a", "b", got "c"',
        );
      });
    });

    describe('times of CSV', () => {
      test.each([
        ['2015-02-04T17:51:00.123456789+01:00', '2015-02-04T16:51:00.123456Z'],
        ['2015-02-04 17:51:00,25', '2015-02-04T17:51:00.250000Z'],
        ['04.02.2015 17:51', '2015-02-04T17:51:00.000000Z'],
        ['02/24/2015 12:05 AM', '2015-02-24T00:05:00.000000Z'],
        ['02/24/2015 12:05 pm', '2015-02-24T12:05:00.000000Z'],
        ['1423072260', '2015-02-04T17:51:00.000000Z'],
        ['1423072260.25', '2015-02-04T17:51:00.250000Z'],
        ['1423072260123', '2015-02-04T17:51:00.123000Z'],
        ['1423072260123456', '2015-02-04T17:51:00.123456Z'],
        ['1423072260123456789', '2015-02-04T17:51:00.123456Z'],
        ['1700-01-01 00:00:00', '1700-01-01T00:00:00.000000Z'],
      ])('%s', async (written, instant) => {
        expect(await times(file('a;time', `5;${written}`))).toEqual([instant]);
      });

      test('stand in two columns', async () => {
        const text = file('Date,Time,a', '04/02/2015,17:51:00,1', '24/02/2015,05:52:00 PM,2');
        expect(await times(text)).toEqual(['2015-02-04T17:51:00.000000Z', '2015-02-24T17:52:00.000000Z']);
      });

      test('in two columns are no times without one of them', async () => {
        const rows = ['2015-02-04,17:51:00,1', '2015-02-04,17:52:00,2', '2015-02-04,,3'];
        expect(await refusalOf(importFile(file('Date,Time,a', ...rows)))).toBe(
          'line 4: Date must be a time like "2015-02-04 17:51:00", got "2015-02-04 ". Nothing was imported.',
        );
        const broken = file('Date,Time,a', ...rows.slice(0, 2), 'today,17:53:00,3', '2015-02-04,noon,4');
        expect((await kept(broken)).result).toMatchObject({ stored: 2, errors: [{ line: 4 }, { line: 5 }] });
      });

      test('are read in the chosen zone and order', async () => {
        const text = file('time,a', '04/02/2015 17:51,1');
        expect(await times(text, { zone: 'Europe/Berlin' })).toEqual(['2015-02-04T16:51:00.000000Z']);
        expect(await times(text, { date_order: 'month-first' })).toEqual(['2015-04-02T17:51:00.000000Z']);
        expect(await refusalOf(importFile(text, { settings: { zone: 'Berlin' } }))).toMatch(
          /^zone must be an IANA time zone .* got "Berlin"$/,
        );
      });

      test('near a clock change are noted', async () => {
        const text = file(
          'time,a',
          '2024-03-31 02:30:00,1',
          '2024-10-27 02:30:00,2',
          '2024-10-27 02:00:00,3',
        );
        const { result } = await importFile(text, { settings: { zone: 'Europe/Berlin' } });
        expect(result.notes).toEqual([
          '1 time lies in an hour that clocks in Europe/Berlin skipped, and moved forward by it.',
          '2 times lie in an hour that clocks in Europe/Berlin went through twice: the first pass counts until the times step back.',
        ]);
        expect(result).toMatchObject({
          first: '2024-03-31T01:30:00.000000Z',
          last: '2024-10-27T01:00:00.000000Z',
        });
      });

      test('are those of the chosen column, or of receipt when there is none', async () => {
        const text = file('made,sent,a', '2015-02-04 17:51:00,2016-02-04 17:51:00,1');
        expect(await times(text, { time_column: 'sent', columns: 'a' })).toEqual([
          '2016-02-04T17:51:00.000000Z',
        ]);
        expect(await times(text, { time_column: '' })).toEqual([formatMicros(RECEIVED)]);
      });

      test('are never made up', async () => {
        expect(await refusalOf(importFile(file('a,b', '1,2')))).toMatch(
          /^time_column is required, since no column of times was found among "a", "b"/,
        );
        expect(await refusalOf(importFile(file('a,b', '1,2'), { settings: { time_column: 'c' } }))).toBe(
          'time_column must be one of "a", "b", or "" for none, got "c"',
        );
        expect(await refusalOf(importFile(file('a,b', 'x,2'), { settings: { time_column: 'a' } }))).toMatch(
          /^time_column "a" holds no times: .* got "x"$/,
        );
      });
    });

    describe('a file with bad rows', () => {
      const rows = ['time,a', '2015-02-04 17:51:00,1', '2015-02-04 17:52:00,2', '2015-02-04 17:53:00,3'];

      test.each([
        [
          'yesterday,4',
          'line 5: time must be a time like "2015-02-04 17:51:00", got "yesterday". Nothing was imported.',
        ],
        [',4', 'line 5: time must be a time like "2015-02-04 17:51:00", got "". Nothing was imported.'],
        [
          '2015-02-30 17:51:00,4',
          'line 5: time must be a time like "2015-02-04 17:51:00", got "2015-02-30 17:51:00". Nothing was imported.',
        ],
        [
          '1699-12-31 17:51:00,4',
          'line 5: timestamp must lie in the years 1700 to 2200, got "1699-12-31 17:51:00". Nothing was imported.',
        ],
        [
          '2015-02-04 17:54:00',
          'line 5: expected 2 fields as in the first rows, got 1. Nothing was imported.',
        ],
        [
          '2015-02-04 17:54:00,4,5',
          'line 5: expected 2 fields as in the first rows, got 3. Nothing was imported.',
        ],
        [
          '2015-02-04 17:54:00,1e999',
          'line 5: the number "1e999" is too large: at most 1.7976931348623157e308. Nothing was imported.',
        ],
        [
          '2015-02-04 17:54:00,"4"4',
          'line 5: a " inside a text must be doubled, and the whole text must stand in quotes. Nothing was imported.',
        ],
        [
          '2015-02-04 17:54:00,"4',
          'line 5: a text that begins with " must end with ", and none follows. Nothing was imported.',
        ],
      ])(
        'is refused whole, with the line, what was expected and what stood there: %s',
        async (row, message) => {
          expect(await refusalOf(importFile(file(...rows, row)))).toBe(message);
        },
      );

      test('names the first bad line even far behind the sample', async () => {
        const many = Array.from({ length: 5000 }, (_, row) => `2015-02-04 17:51:00,${row}`);
        const text = file('time,a', ...many, '"broken"x,1', 'bad,1');
        expect(await refusalOf(importFile(text, { chunk: 1000 }))).toMatch(/^line 5002: /);
      });

      test('keeps the good rows on request, and lists the first bad ones', async () => {
        const good = Array.from({ length: 40 }, (_, row) => `2015-02-04 17:51:${row + 10},${row}`);
        const bad = Array.from({ length: 30 }, (_, row) => `bad ${row},1`);
        const text = file('time,a', ...good, ...bad, '2015-02-04 17:54:00,"4"4', '2015-02-04 17:55:00,5');
        const { result, records } = await kept(text);
        expect(records.map(plain)).toEqual([...good.map((_, row) => ({ a: row })), { a: 5 }]);
        expect(result).toMatchObject({
          stored: 41,
          skipped: 31,
          first: '2015-02-04T17:51:10.000000Z',
          last: '2015-02-04T17:55:00.000000Z',
        });
        expect(result.errors).toHaveLength(20);
        expect(result.errors[0]).toEqual({
          line: 42,
          message: 'time must be a time like "2015-02-04 17:51:10", got "bad 0"',
        });
        expect(result.notes).toContain('31 rows could not be read; the first 20 are listed.');
      });

      test('names a broken header too', async () => {
        const text = file('"time"x,a', 'time,a', '2015-02-04 17:51:00,1');
        expect(await refusalOf(importFile(text))).toMatch(/^line 1: a " inside a text must be doubled/);
        expect((await kept(text)).result).toMatchObject({ stored: 1, errors: [{ line: 1 }] });
      });

      test('keeps what was written before the power failed', async () => {
        const { result } = await kept(file(...rows, '2015-02-04 17:5'));
        expect(result).toMatchObject({ stored: 3, skipped: 1, errors: [{ line: 5 }] });
      });

      test('does not take rows at the time of receipt because the first rows are broken', async () => {
        const text = file('time,a', '"x"y,1', '"x"y,1', ...rows.slice(1));
        expect((await kept(text)).result).toMatchObject({
          stored: 3,
          skipped: 2,
          first: '2015-02-04T17:51:00.000000Z',
        });
        const long = await kept(`time,a\n"${'x'.repeat(100_000)}\n2015-02-04 17:51:00,1`);
        expect(long.result).toMatchObject({ stored: 1, skipped: 1, errors: [{ line: 2 }] });
      });
    });

    describe('NDJSON', () => {
      test('is records as devices send them', async () => {
        const text = file(
          '{"timestamp":"2015-02-04T17:51:00Z","a":{"b":1},"c":null}',
          '',
          '{"timestamp":1423072261000,"d":"x"}',
        );
        const { records, result } = await importFile(text, { chunk: 7 });
        expect(records.map(plain)).toEqual([{ 'a.b': 1 }, { d: 'x' }]);
        expect(result).toMatchObject({
          stored: 2,
          first: '2015-02-04T17:51:00.000000Z',
          last: '2015-02-04T17:51:01.000000Z',
        });
      });

      test('names the line that is wrong', async () => {
        expect(await refusalOf(importFile(file('{"a":1}', '', '{"a":1e999}')))).toBe(
          'line 3: the number of "a" is too large: at most 1.7976931348623157e308. Nothing was imported.',
        );
        expect(await refusalOf(importFile(file('{"a":1}', '{"a":')))).toMatch(
          /^line 2: must be one JSON object: .* Nothing was imported\.$/,
        );
        expect((await kept(file('{"a":1}', '{"a":', '[1]', '{"a":2}'))).result).toMatchObject({
          stored: 2,
          skipped: 2,
          errors: [{ line: 2 }, { line: 3 }],
        });
      });
    });

    describe('any file', () => {
      test('is told by its settings, then its media type, then its first character', async () => {
        const text = '{"a":1}\n';
        expect((await importFile(text)).result.stored).toBe(1);
        expect((await importFile(text, { type: 'application/x-ndjson' })).result.stored).toBe(1);
        expect(await refusalOf(importFile(text, { type: 'text/csv' }))).toBe(
          'The file holds no rows of data.',
        );
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
        const latin = Buffer.from(file('time,°C', '2015-02-04 17:51:00,1'), 'latin1');
        expect(await refusalOf(importFile(latin))).toMatch(/^line 1: the file must be UTF-8 text/);
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
              Array.from({ length: 1000 }, (_, index) => `${1_423_072_260 + row + index},${index}\n`).join(
                '',
              ),
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
  });
}
