import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createZonedText } from '#core/base/zoned-time.ts';
import { XlsxSheets } from '#core/store/blocks/codec/xlsx-sheets.ts';
import type { CsvStyle, StoredRecord, Value } from '#core/store/store.ts';
import { FIRST_RECORD_TIME, formatMicros, LAST_RECORD_TIME } from '#shared/values/time.ts';
import { readWorkbook, type ReadCell } from '../../../helpers/files/workbooks.ts';
import { bytesOf, fromCells, one, record, sheetsOf, TIME, type Pieces } from './made-workbook.ts';
import { isLeftOut } from '../../../helpers/left-out.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/* docs/local-api.md, "Import and export": workbooks, read back by programs that share no code with what wrote them. */

const noPython = isLeftOut('workbooks as Python reads them', ['python3']);

const columnOf = (reference: string) => reference.replace(/\d+$/, '');
const cellsByColumn = (row: readonly ReadCell[]) => new Map(row.map((cell) => [columnOf(cell[0]), cell]));
const valuesOf = (row: readonly ReadCell[]) => row.map(([, type, value]) => [type, value]);

describe.skipIf(noPython)('a workbook, as Python reads it,', () => {
  test('has times as dates, numbers, booleans and texts as what they are, and the exact time where a date does not tell it', async () => {
    const records = [
      record(TIME, { on: true, state: '=1+1', temperature: 20.5 }),
      record(TIME - 946, { on: false, temperature: -0 }),
      record(TIME, { other: 1 }),
    ];
    const { members, sheets } = await readWorkbook(
      await one(sheetsOf(records, ['temperature', 'on', 'state'])),
    );
    expect(members).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/styles.xml',
      'xl/worksheets/sheet1.xml',
      'xl/workbook.xml',
      'xl/_rels/workbook.xml.rels',
    ]);
    expect(sheets.map(({ name }) => name)).toEqual(['PT-107']);
    const [head, first, second, ...others] = sheets[0]!.rows;
    expect(head?.map(([of, , value]) => [of, value])).toEqual([
      ['A1', 'timestamp (UTC)'],
      ['B1', 'temperature'],
      ['C1', 'on'],
      ['D1', 'state'],
      ['E1', 'exact timestamp'],
    ]);
    expect(first?.slice(1)).toEqual([
      ['B2', 'n', '20.5', 0],
      ['C2', 'b', '1', 0],
      ['D2', 'inlineStr', '=1+1', 0],
      ['E2', 'inlineStr', '2026-03-02T20:30:21.202946Z', 0],
    ]);
    expect(microsOf(first![0]!)).toBe(TIME);
    expect([microsOf(second![0]!), second?.slice(1)]).toEqual([
      TIME - 946,
      [
        ['B3', 'n', '-0', 0],
        ['C3', 'b', '0', 0],
      ],
    ]);
    expect(others).toEqual([]);
  });

  test('has whole numbers that a double no longer tells apart as texts, and all other numbers as numbers', async () => {
    const values = [2 ** 53 - 1, 2 ** 53, -(2 ** 60), 1e21, -1e300, 5e-324, 1.7976931348623157e308, 0.1];
    const records = values.map((value, n) => record(TIME + n * 1000, { value }));
    const { sheets } = await readWorkbook(await one(sheetsOf(records, ['value'])));
    expect(sheets[0]!.rows.slice(1).map((row) => valuesOf(row)[1])).toEqual(
      values.map((value) => [
        Math.abs(value) >= 2 ** 53 && Math.abs(value) < 1e21 ? 'inlineStr' : 'n',
        String(value),
      ]),
    );
  });

  test('has what XML cannot hold, and cuts a text that is longer than a cell, which then says so', async () => {
    const texts = [
      'a\u0000b\u000bc\rd\ne\tf',
      '_x000D_ __x0041_ _x_',
      '<&>"\u0027]]>',
      '\ufffe\uffff',
      '\ud800x\udc00',
      '☃😀',
      '  blanks  ',
      'x'.repeat(32_767),
    ];
    const long = `${'y'.repeat(32_734)}${'😀'.repeat(100)}`;
    const records = [...texts, long].map((text, n) => record(TIME + n, { text }));
    const { sheets } = await readWorkbook(await one(sheetsOf(records, ['text'])));
    const read = sheets[0]!.rows.slice(1).map((row) => row[1]![2]);
    expect(read.slice(0, -1)).toEqual(texts);
    const cut = read.at(-1)!;
    expect(cut).toMatch(/^y+(😀)* … \(cut: 32934 characters\)$/u);
    expect(cut.length).toBeGreaterThan(32_760);
    expect(cut.length).toBeLessThanOrEqual(32_767);
  });

  test('goes on on further sheets where one is full, with the head again', async () => {
    async function* many(): Pieces {
      const sheets = new XlsxSheets(['n'], undefined, 4);
      for (let n = 0; n < 7; n++) {
        sheets.row(TIME + n);
        sheets.cell(0, n);
      }
      sheets.end();
      const bytes = sheets.take();
      for (let at = 0; at < bytes.length; at += 100) yield { bytes: bytes.subarray(at, at + 100), length: 0 };
    }
    const { sheets } = await readWorkbook(await one(many(), 'ESP32'));
    expect(sheets.map(({ name, rows }) => [name, rows.map((row) => row[1]![2])])).toEqual([
      ['ESP32', ['n', '0', '1', '2']],
      ['ESP32 (2)', ['n', '3', '4', '5']],
      ['ESP32 (3)', ['n', '6']],
    ]);
    expect(sheets[1]!.rows.map((row) => row[0]![0])).toEqual(['A1', 'A2', 'A3', 'A4']);
  });

  test('has a sheet for each device, then tables', async () => {
    const columns = [
      { title: 'note', width: 10 },
      { title: 'at', width: 20 },
      { title: 'n', width: 5 },
    ];
    const bytes = await bytesOf({
      devices: [
        { name: 'A', pieces: sheetsOf([record(TIME, { a: 1 })], ['a']) },
        { name: 'a', pieces: sheetsOf([], ['b']) },
        { name: 'Notes', pieces: sheetsOf([record(TIME, { c: 1 })], ['c']) },
      ],
      tables: [
        {
          name: 'Notes',
          columns,
          rows: [
            ['=cmd', { wall: TIME, text: formatMicros(TIME) }, 3],
            [null, null, true],
          ],
        },
      ],
    });
    const { sheets } = await readWorkbook(bytes);
    expect(sheets.map(({ name, rows }) => [name, rows.length])).toEqual([
      ['A', 2],
      ['a (2)', 1],
      ['Notes', 2],
      ['Notes (2)', 3],
    ]);
    expect(sheets[3]!.rows[1]!.map(([, type, , style]) => [type, style])).toEqual([
      ['inlineStr', 3],
      ['n', 1],
      ['n', 0],
    ]);
    expect(sheets[3]!.rows[2]).toEqual([['C3', 'b', '1', 0]]);
  });

  const KEYS = ['a', 'b', '__proto__', 'ä "q"', 'a\nb'];
  const value: fc.Arbitrary<Value> = fc.oneof(
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, -0, 2 ** 53 - 1, 2 ** 53, -(2 ** 70), 1e21, 5e-324),
    fc.integer(),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom('', ' ', '=1', '_x0041_', '\u0000', '\r\n', '\ud800', '\f', ']]>', '_', 'true', '42'),
  );
  const instant = fc.oneof(
    fc.integer({ min: FIRST_RECORD_TIME, max: LAST_RECORD_TIME }),
    fc.integer({ min: TIME - 50, max: TIME + 50 }),
    fc.integer({ min: 1_700_000_000, max: 1_800_000_000 }).map((seconds) => seconds * 1_000_000),
    fc.constantFrom(-2_203_891_200_000_000, -2_203_891_200_000_001, -2_203_891_199_999_000),
  );
  const uploaded = fc
    .tuple(
      instant,
      fc.uniqueArray(fc.tuple(fc.constantFrom(...KEYS), value), { selector: ([key]) => key, minLength: 1 }),
    )
    .map(([timestamp, data]): StoredRecord => {
      const sorted = data.toSorted(([a], [b]) => (a < b ? -1 : 1));
      return {
        timestamp,
        received: 0,
        keys: sorted.map(([key]) => key),
        values: sorted.map(([, held]) => held),
      };
    });

  test('has any records, sparse, late and doubled ones, as they were, and the same bytes from cells and from records', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(uploaded, { minLength: 1, maxLength: 20 }), { maxLength: 4 }),
        fc.shuffledSubarray(KEYS),
        fc.constantFrom(null, 'Europe/Berlin', 'Asia/Kathmandu'),
        fc.constantFrom(1, 3, 1000),
        async (uploads, keys, zone, atOnce) => {
          const style: CsvStyle = {
            delimiter: ',',
            mark: '.',
            zone,
            names: keys.map((key) => `${key} (°C)`),
            preface: '',
            escapesFormulas: false,
          };
          // What came first stands first of equal times.
          const records = uploads.flat().toSorted((a, b) => a.timestamp - b.timestamp);
          const bytes = await one(sheetsOf(records, keys, style));
          expect((await one(fromCells(uploads, keys, atOnce, style))).equals(bytes)).toBe(true);
          const { sheets } = await readWorkbook(bytes);
          const [head, ...rows] = sheets[0]!.rows;
          expect(head?.map((cell) => cell[2])).toEqual([
            `timestamp (${zone ?? 'UTC'})`,
            ...style.names,
            'exact timestamp',
          ]);
          const expected = records.filter((each) => keys.some((key) => each.keys.includes(key)));
          expect(rows.length).toBe(expected.length);
          for (const [i, each] of expected.entries()) {
            const cells = cellsByColumn(rows[i]!);
            const text = zone === null ? formatMicros : createZonedText(zone);
            const exact = cells.get('ABCDEFGH'.charAt(keys.length + 1));
            const [, type, shown] = cells.get('A')!;
            // Its date alone, or its last cell, says the instant to the µs.
            if (exact !== undefined) expect(exact[2]).toBe(text(each.timestamp));
            else expect([zone, each.timestamp % 1000]).toEqual([null, expect.closeTo(0)]);
            const wall = Date.parse(`${text(each.timestamp).slice(0, 23)}Z`);
            const micros = wall * 1000 + (((each.timestamp % 1000) + 1000) % 1000);
            // Days as a double tell the last dates to 1.3 µs.
            if (type === 'n') expect(Math.abs(microsOf(cells.get('A')!) - micros)).toBeLessThanOrEqual(1);
            else expect([shown, wall < Date.UTC(1900, 2, 1)]).toEqual([text(each.timestamp), true]);
            for (const [place, key] of keys.entries()) {
              const held = each.values[each.keys.indexOf(key)];
              const cell = cells.get('ABCDEFGH'.charAt(place + 1));
              expect(cell?.slice(1, 3)).toEqual(held === undefined ? undefined : readAs(held));
            }
          }
        },
      ),
      {
        numRuns: someRuns(160),
        // A date whose double lies below its millisecond.
        examples: [
          [
            [[{ timestamp: 6_204_517_597_027_000, received: 0, keys: ['a'], values: [false] }]],
            ['a'],
            'Asia/Kathmandu',
            1,
          ],
        ],
      },
    );
  });
});

/** The instant that a date says, to the µs. */
const microsOf = ([, , serial]: ReadCell) => Math.round((Number(serial) - 25_569) * 86_400e6);

function readAs(held: Value): readonly [type: string, value: string] {
  if (typeof held === 'string') return ['inlineStr', held];
  if (typeof held === 'boolean') return ['b', held ? '1' : '0'];
  const isLong = Number.isInteger(held) && Math.abs(held) >= 2 ** 53 && Math.abs(held) < 1e21;
  return [isLong ? 'inlineStr' : 'n', Object.is(held, -0) ? '-0' : String(held)];
}

test('the same records make the same bytes, in whatever pieces they come', async () => {
  const records = Array.from({ length: 5000 }, (_, n) =>
    record(TIME + n * 1000, { n, wave: Math.sin(n), state: `state ${n % 7}` }),
  );
  const keys = ['n', 'state', 'wave'];
  async function* inPieces(size: number): Pieces {
    const all: Uint8Array[] = [];
    for await (const { bytes } of sheetsOf(records, keys)) all.push(bytes);
    const whole = Buffer.concat(all);
    for (let at = 0; at < whole.length; at += size) yield { bytes: whole.subarray(at, at + size), length: 1 };
  }
  const bytes = await one(sheetsOf(records, keys));
  for (const size of [997, 65_536, 1_000_000]) expect((await one(inPieces(size))).equals(bytes)).toBe(true);
});
