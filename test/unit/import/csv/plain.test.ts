import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fileOf,
  pad,
  settingsOf,
  TIMES,
  usualSettings,
  writeCsv,
} from '../../../helpers/files/generated-csv.ts';
import { RECORDINGS, recordings } from '../../../helpers/files/recordings.ts';
import { someRuns } from '../../../helpers/some-runs.ts';
import { expectSame } from './bytes-as-text.ts';

describe('CSV from its bytes is CSV from its text', () => {
  test('for files of any dialect, with odd cells and lines among them', async () => {
    let [shares, files, stored] = [0, 0, 0];
    await fc.assert(
      fc.asyncProperty(
        fileOf,
        fc.oneof({ weight: 2, arbitrary: usualSettings }, settingsOf),
        fc.constantFrom(1 << 20, 1000, 61),
        async (file, settings, chunk) => {
          const outcome = await expectSame(writeCsv(file), settings, chunk);
          shares += outcome.share;
          files++;
          stored += outcome.records.length;
        },
      ),
      { numRuns: someRuns(1500) },
    );
    // Otherwise this would compare text with text. A file's share is 0.21 on average (standard deviation 0.34): five standard errors less.
    expect(shares / files).toBeGreaterThan(0.21 - (5 * 0.34) / Math.sqrt(files));
    expect(stored / files).toBeGreaterThan(5);
  }, 120_000);

  test('for files whose oddities come behind the beginning that they are judged by', async () => {
    await fc.assert(
      fc.asyncProperty(
        fileOf,
        fc.oneof({ weight: 3, arbitrary: usualSettings }, settingsOf),
        async (file, settings) => void (await expectSame(writeCsv(file, 100), settings)),
      ),
      { numRuns: someRuns(250) },
    );
  }, 120_000);

  test.each([
    ['zeros before whole numbers', '7', '007', '8'],
    ['a number of more digits than a double holds', '7', '12345678901234567890', '8'],
    ['a first fraction', '7', '7.5', '08'],
    ['a first text', '7', 'warm', '8'],
  ])('for %s, far behind the beginning', async (_, usual, odd, after) => {
    const row = (n: number, text: string) => `${TIMES['iso']!(n)},${text},1\n`;
    const text = `time,a,b\n${Array.from({ length: 4000 }, (_each, n) => row(n, n === 3000 ? odd : n === 3500 ? after : usual)).join('')}`;
    const { share } = await expectSame(text);
    expect(share).toBeGreaterThan(0.95);
  });

  test.each(['13/02/2015 10:00', '02/13/2015 10:00'])(
    'for a date that tells the order of all, far behind the beginning: %s',
    async (telling) => {
      const row = (n: number, date: string) => `${date},${n}\n`;
      const text = `time,a\n${Array.from({ length: 5000 }, (_, n) => row(n, n === 4500 ? telling : `02/03/2015 ${pad(Math.floor(n / 60) % 24)}:${pad(n % 60)}`)).join('')}`;
      await expectSame(text);
      await expectSame(text, { on_error: 'keep' });
    },
  );

  test('for rows of one minute that end in whatever a time may end in', async () => {
    const minute = fc.constantFrom(
      '2015-02-04 10:15:',
      '2015-02-04T10:15:',
      '2015-02-04 23:59:',
      '2015-02-04 24:59:',
      '2015-2-4 1:15:',
    );
    const tail = fc.constantFrom(
      '00',
      '59.5',
      '01Z',
      '01z',
      '01 Z',
      '01.5Z',
      '59.999999Z',
      '01.1234567Z',
      '01.Z',
      '60Z',
      '02.25+02:00',
      '03 PM',
      '04AM',
      '60',
      '5',
      '06,7',
      '07.',
      '"',
    );
    const row = fc.oneof(
      {
        weight: 9,
        arbitrary: fc.tuple(fc.constant('2015-02-04 10:15:'), fc.constantFrom('00', '30', '59.123')),
      },
      fc.tuple(minute, tail),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 60 }), async (rows) => {
        const usual = Array.from({ length: 30 }, (_, n) => `2015-02-04 10:15:${pad(n)},1\n`);
        const text = `time,a\n${[...usual, ...rows.map(([begin, end]) => `${begin}${end},2\n`)].join('')}`;
        await expectSame(text, { on_error: 'keep' }, 61);
      }),
      { numRuns: someRuns(400) },
    );
  }, 60_000);

  test.each([
    ['.', ','],
    [',', ';'],
    [',', '\t'],
  ])(
    'for numbers of any length, with the mark %j between %j',
    async (mark, delimiter) => {
      const digits = fc.oneof(
        fc.stringMatching(/^\d{0,3}$/),
        fc.stringMatching(/^\d{8,11}$/),
        fc.stringMatching(/^0{0,2}\d{0,20}$/),
      );
      const number = fc
        .tuple(fc.constantFrom('', '', '-', '+'), digits, fc.option(digits))
        .map(([sign, whole, decimals]) => `${sign}${whole}${decimals === null ? '' : mark + decimals}`);
      const cell = fc
        .tuple(number, fc.constantFrom('', '', '', ' ', 'e2', 'x'))
        .map((parts) => parts.join(''));
      await fc.assert(
        fc.asyncProperty(fc.array(cell, { maxLength: 60 }), async (cells) => {
          const usual = ['1', `2${mark}5`, `-0${mark}25`];
          const rows = [...usual, ...cells].map((text, n) =>
            [TIMES['iso']!(n), text, `${n}${mark}5`].join(delimiter),
          );
          await expectSame(`${['time', 'a', 'b'].join(delimiter)}\n${rows.join('\n')}\n`, {
            on_error: 'keep',
          });
        }),
        { numRuns: someRuns(400) },
      );
    },
    60_000,
  );

  test.each([{}, { zone: 'Europe/Berlin' }])(
    'for a clock that was set wrong now and then',
    async (settings) => {
      const day = (n: number) => `${TIMES['through a clock change']!(n % 1000)},1\n`;
      const odd = ['2090-01-01 00:00:00,1\n', '1970-01-01 00:00:00,1\n', '2090-01-01 00:00:01,1\n'];
      const rows = Array.from({ length: 5000 }, (_, n) => (n % 1500 === 1400 ? odd[n % 3] : '') + day(n));
      await expectSame(`time,a\n${rows.join('')}`, settings);
    },
  );

  test('for any bytes behind an ordinary beginning', async () => {
    const start = 'time,a,b\n2015-02-04T17:51:00Z,1,x\n2015-02-04T17:52:00Z,2.5,y\n';
    const piece = fc.constantFrom(
      '2015-02-04T17:53:00Z',
      ',',
      ',',
      '1',
      '-',
      '.',
      '5',
      'x',
      '"',
      '\n',
      '\n',
      '\r\n',
      ' ',
      'ö',
      'e',
      'NaN',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 60 }), (pieces) =>
        expectSame(`${start}${pieces.join('')}`, { on_error: 'keep' }).then(() => undefined),
      ),
      { numRuns: someRuns(1500) },
    );
  }, 60_000);

  test.each([
    ['numbers to the last bit', (n: number) => String(Math.fround(Math.sin(n)) * 10 ** ((n % 30) - 15))],
    [
      'numbers of 17 digits',
      (n: number) => `0.${String(Math.cos(n)).replace(/\D/g, '').padEnd(17, '7').slice(0, 17)}`,
    ],
    ['halfway between two doubles', (n: number) => `${2 ** 53 + 2 * n + 1}.0`],
  ])('for long files: %s', async (_, value) => {
    const rows = Array.from({ length: 5000 }, (_each, n) => `${TIMES['iso']!(n)},${value(n)},1.5`);
    const { share } = await expectSame(`time,a,b\n${TIMES['iso']!(0)},0.5,1\n${rows.join('\n')}\n`, {}, 4096);
    expect(share).toBeGreaterThan(0.98);
  });

  test('for lines of more than a piece', async () => {
    const long = 'x'.repeat(3 << 20);
    await expectSame(
      `time,a\n${TIMES['iso']!(0)},x\n${TIMES['iso']!(1)},${long}\n${TIMES['iso']!(2)},y\n`,
      {},
      65_536,
    );
  });

  test('for wide rows', async () => {
    const wide = (n: number) =>
      `${TIMES['iso']!(n)},${Array.from({ length: 300 }, (_, i) => (i % 3 && n % 2 ? '' : i + n)).join(',')}`;
    const text = `time,${Array.from({ length: 300 }, (_, i) => `k${i}`).join(',')}\n${Array.from({ length: 400 }, (_, n) => wide(n)).join('\n')}\n`;
    const { result } = await expectSame(text, { on_error: 'keep' });
    expect(result).toMatchObject({ stored: 200, skipped: 200 });
  });
});

describe.skipIf(recordings === null)('a recording', () => {
  test.each(RECORDINGS)('is the same from its bytes: $file', async ({ file, rows }) => {
    const { share, records } = await expectSame(readFileSync(join(recordings ?? '', file)));
    expect(records).toHaveLength(rows);
    expect(share).toBeGreaterThan(0.9);
  });
});
