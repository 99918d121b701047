import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { file, read } from '../../../helpers/files/csv-files.ts';
import { inspectText } from '../inspecting.ts';

/* Lines above a table that a spreadsheet has filled up with delimiters to the width of the table. */

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** What stands above a table: its cells. */
const TITLES: readonly (readonly string[])[] = [
  ['Logger 4711'],
  ['Report'],
  ['Time series of pump 7'],
  ['Time zone: UTC+2'],
  ['27.11.2026'],
  [],
  ['Serial', '4711'],
  ['Operator', 'Smith'],
  ['Started', '2026-01-05 08:00'],
  ['Sampling', '10', 's'],
];
const NAMES = ['temperature', 'Druck', 'flow', 'state', 'q', 'Größe'];
const UNITS = ['°C', 'hPa', 'l/min', '', '%', 'm'];

const layouts = fc
  .record({
    delimiter: fc.constantFrom(...DELIMITERS),
    columns: fc.integer({ min: 1, max: 6 }),
    time: fc.constantFrom('time', 'Zeit', 'TIMESTAMP', 'when it was'),
    /** A lone title first: it is what says that lines are filled up. */
    first: fc.constantFrom(...TITLES.slice(0, 4)),
    others: fc.array(fc.constantFrom(...TITLES), { maxLength: 4 }),
    quoted: fc.boolean(),
    hasUnits: fc.boolean(),
    rows: fc.integer({ min: 6, max: 20 }),
    /** Of a row, a value that is missing. */
    missing: fc.array(fc.nat(5), { maxLength: 4 }),
    /** Empty columns that the sheet has behind the table. */
    spare: fc.nat(3),
    /** Fields that titles lack up to the width of the sheet: a writer of its own fills them up otherwise. */
    short: fc.nat(2),
  })
  // A field and its value are as wide as a table of two or three columns: nothing then tells them from names.
  .map(({ others, ...layout }) => ({
    ...layout,
    others: others.filter(({ length }) => length * 2 <= layout.columns + 1),
  }));

type Layout = typeof layouts extends fc.Arbitrary<infer T> ? T : never;

function write(layout: Layout) {
  const { delimiter, columns, time, first, others, quoted, hasUnits, rows, missing, spare, short } = layout;
  const width = 1 + columns + spare;
  const line = (cells: readonly string[], fields = width) =>
    [...cells, ...Array.from({ length: Math.max(0, fields - cells.length) }, () => '')].join(delimiter);
  const titles = [first, ...others].map((cells) =>
    line(
      cells.map((cell) => (quoted ? `"${cell}"` : cell)),
      Math.max(2, width - short),
    ),
  );
  const names = [time, ...NAMES.slice(0, columns)];
  const data = Array.from({ length: rows }, (_, n) => {
    const values = NAMES.slice(0, columns).map((__, at) => (n > 0 && missing[n] === at ? '' : `${n + at}`));
    return line([`2026-01-05 08:${String(n).padStart(2, '0')}:00`, ...values]);
  });
  const units = hasUnits ? [line(['', ...UNITS.slice(0, columns)])] : [];
  return { text: [...titles, line(names), ...units, ...data, ''].join('\n'), titles, names };
}

describe('titles that are filled up with delimiters', () => {
  test('stand above the names, in whatever layout', async () => {
    await fc.assert(
      fc.asyncProperty(layouts, async (layout) => {
        const { text, titles, names } = write(layout);
        const found = inspectText(text);
        expect(found.first_line).toBe(titles.length + 1);
        expect(found.columns.slice(0, names.length).map(({ name }) => name)).toEqual(names);
        expect(found.problem).toBeNull();
        expect(found.doubts.map(({ setting }) => setting)).toContain('first_line');
        const { result, values } = await read(text, { zone: 'UTC' });
        expect([result.stored + result.skipped, result.errors]).toEqual([layout.rows, []]);
        expect(values[0]).toMatchObject({ [names[1] ?? '']: 0 });
        expect(result.notes.join('\n')).toContain(`The table seems to begin in line ${titles.length + 1}`);
      }),
    );
  });

  test.each<[string, string]>([
    ['semicolons', 'Logger 4711;;;;\nZeit;a;b;c;d\n2026-01-05 08:00;1,5;2;3;4\n2026-01-05 08:01;1,6;2;3;4\n'],
    ['quotes', '"Report",,,\ntime,a,b,c\n2026-01-05 08:00,1,2,3\n2026-01-05 08:01,1,2,3\n'],
    ['two columns', 'Logger 4711;\ntime;a\n2026-01-05 08:00;1\n2026-01-05 08:01;2\n'],
    ['one row of data', 'Logger 4711;;\ntime;a;b\n2026-01-05 08:00;1;2\n'],
    ['columns in groups', ';Loop 1;;\ntime;in;out;flow\n2026-01-05 08:00;1;2;3\n2026-01-05 08:01;1;2;3\n'],
    ['after sep=', 'sep=;\nReport;;\ntime;a;b\n2026-01-05 08:00;1;2\n2026-01-05 08:01;1;2\n'],
  ])('cost nothing: %s', (_, text) => {
    const found = inspectText(text);
    expect(found.columns[0]).toMatchObject({ role: 'time', name: /Zeit/.test(text) ? 'Zeit' : 'time' });
    expect(found.units_line).toBeNull();
    expect([found.state, found.problem]).toEqual(['ready', null]);
  });
});

describe('names of some columns alone are no title', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'above data',
      file('time,a,,', '2026-01-05 08:00,1,2,3', '2026-01-05 08:01,1,2,3'),
      ['time', 'a', 'column 3', 'column 4'],
    ],
    [
      'above units of all',
      file('time;a;', 'h;°C;bar', '2026-01-05 08:00;1;2', '2026-01-05 08:01;1;2'),
      ['time', 'a', 'column 3'],
    ],
    [
      'above a remark',
      file('time;a;;', ';;;door opened', '2026-01-05 08:00;1;2;', '2026-01-05 08:01;1;2;'),
      ['time', 'a', 'column 3', 'column 4'],
    ],
    [
      'with delimiters behind them',
      file('time;a;;', '2026-01-05 08:00;1;;', '2026-01-05 08:01;1;;'),
      ['time', 'a', 'column 3', 'column 4'],
    ],
  ])('%s', (_, text, names) => {
    const found = inspectText(text);
    expect([found.first_line, found.columns.map(({ name }) => name)]).toEqual([1, names]);
  });

  test('nor are rows of data without a value, before any names', async () => {
    const { result } = await read(
      file('2026-01-05 08:00;;', '2026-01-05 08:01;;', '2026-01-05 08:02;1;2', '2026-01-05 08:03;1;2'),
    );
    expect([result.stored, result.skipped]).toEqual([2, 2]);
  });
});
