import * as fc from 'fast-check';
import { DATE_ORDERS, type ImportSettings } from '#shared/operations/records/records.ts';

/** A number with zeros before it. */
export const pad = (n: number, width = 2) => String(n).padStart(width, '0');

/** How a file writes its times, n steps on. */
export const TIMES: Record<string, (n: number) => string> = {
  iso: (n) => new Date(1.4e12 + n * 1000).toISOString(),
  'iso, µs, offset': (n) =>
    `${new Date(1.4e12 + n * 1000).toISOString().slice(0, -1)}${pad(n % 1000, 3)}+02:00`,
  'blank, no zone': (n) => new Date(1.4e12 + n * 60_000).toISOString().slice(0, 19).replace('T', ' '),
  minutes: (n) => new Date(1.4e12 + n * 60_000).toISOString().slice(0, 16).replace('T', ' '),
  'day first': (n) => `${pad(1 + (n % 28))}.${pad(1 + (n % 12))}.2015 ${n % 24}:${pad(n % 60)}`,
  'month first': (n) =>
    `${1 + (n % 12)}/${1 + (n % 28)}/2015 ${1 + (n % 12)}:${pad(n % 60)}:${pad(n % 60)} ${n % 2 ? 'AM' : 'pm'}`,
  'either order': (n) => `${1 + (n % 12)}/${1 + (n % 7)}/2015 ${n % 24}:${pad(n % 60)}`,
  'through a clock change': (n) =>
    new Date(Date.UTC(2015, 9, 24, 12) + n * 600_000).toISOString().slice(0, 19).replace('T', ' '),
  'short year': (n) =>
    `${pad(11 + (n % 3))}-${pad(1 + (n % 12))}-${pad(1 + (n % 28))} ${n % 24}:${pad(n % 60)}`,
  'ten digits': (n) => new Date(1.4e12 + n * 3_600_000).toISOString().slice(0, 13).replaceAll(/\D/g, ''),
  date: (n) => new Date(1.4e12 + n * 86_400_000).toISOString().slice(0, 10),
  seconds: (n) => String(1_400_000_000 + n),
  'seconds with a fraction': (n) => `${1_400_000_000 + n}.${n % 1000}`,
  milliseconds: (n) => String(1_400_000_000_000 + n),
  microseconds: (n) => String(1_400_000_000_000_000 + n),
  nanoseconds: (n) => `${1_400_000_000_000_000 + n}${pad(n % 1000, 3)}`,
  'elapsed seconds': (n) => String(n / 10),
};

/** What stands in the cells of a column, row n; by a number that is drawn for each cell. */
const VALUES: Record<string, (n: number, drawn: number) => string> = {
  decimals: (n, drawn) => (((n * 7919 + drawn) % 100_003) / 100).toString(),
  whole: (n, drawn) => String((n * 31 + drawn) % 1000),
  negative: (n, drawn) => String(-((n + drawn) % 50) / 4),
  exponents: (n, drawn) => ((drawn + 0.5) * 10 ** ((n % 40) - 20)).toExponential(),
  'any double': (n, drawn) => String(Math.sin(n * drawn + 1) * 10 ** (drawn % 30)),
  'many digits': (n, drawn) => `${n}.${String(drawn).repeat(5)}`,
  truths: (n, drawn) => ['true', 'false', 'TRUE'][(n + drawn) % 3]!,
  words: (n, drawn) => ['warm', 'kühl', 'n', 'NA-1', 'x y'][(n + drawn) % 5]!,
  'mostly missing': (n, drawn) => (drawn % 5 === 0 ? String(n) : ['', 'NaN', 'null'][drawn % 3]!),
  'leading zeros': (n) => pad(n, 6),
};

/** Makes a row long, so that few of them fill the beginning by which a file is judged. */
const PADDING = 'p'.repeat(700);

/** Cells that are not as the others of their column. */
const ODD = [
  '',
  ' ',
  '"',
  '""',
  '"1"',
  '"a,b;c"',
  '"a\nb"',
  '"a""b"',
  'a"b',
  '1e5',
  '1e999',
  '+1',
  '.5',
  '5.',
  '-',
  '-0',
  '-0.0',
  '007',
  '1,234',
  '1.234,5',
  '1\u00a0234',
  '9007199254740993',
  '123456789012345678',
  '0.1234567890123456789',
  '1e-400',
  'NaN',
  'n/a',
  'Infinity',
  'yes',
  ' 5',
  '5 ',
  '\t5',
  'ä',
  '\u00a0x',
  'x\u3000',
  '2015-02-04',
  '12:30',
  '\r',
  'x\ry',
  '32.13.2015 10:00',
  '13/13/2015',
  '2015-02-30T00:00:00Z',
  '1600-01-01T00:00:00Z',
  '2015-02-04T17:51:60Z',
  '2015-02-04T17:51Z',
  '2015-02-04 17:51:00.1234567891',
  '2015-02-04T17:51:00 +0200',
  '20150204T175100Z',
  '4 Feb 2015',
  '1e3',
  '12e',
  '1_0',
  '0x10',
  '\0',
  '\u{1F600}',
  '#',
  '1;2',
  '1,5',
  "1'000",
];

/** A file of any dialect, ordinary but for a few cells and lines. */
export const fileOf = fc.record({
  time: fc.constantFrom(...Object.keys(TIMES)),
  columns: fc.array(fc.constantFrom(...Object.keys(VALUES)), { minLength: 1, maxLength: 5 }),
  drawn: fc.integer({ min: 1, max: 1000 }),
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  quotes: fc.constantFrom('none', 'none', 'texts', 'all'),
  comma: fc.boolean(),
  blanks: fc.boolean(),
  header: fc.constantFrom(true, true, false),
  rows: fc.integer({ min: 1, max: 120 }),
  counted: fc.constantFrom(false, false, true),
  splitTime: fc.constantFrom(false, false, true),
  mark: fc.constantFrom('', '', '\ufeff'),
  trailing: fc.constantFrom(false, false, true),
  openEnd: fc.boolean(),
  /** Cells that become something else, by row, column and which. */
  odd: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.constantFrom(...ODD)), { maxLength: 3 }),
  /** Lines that become something else. */
  lines: fc.array(
    fc.tuple(fc.nat(), fc.constantFrom('', '   ', 'x', ',,,,,,,,', '# comment', '"open', '\r')),
    { maxLength: 1 },
  ),
});

type File = typeof fileOf extends fc.Arbitrary<infer T> ? T : never;

/** The text of such a file; `before` its odd cells and lines stand so many ordinary rows, each of some hundred characters. */
export function writeCsv(file: File, before = 0): string {
  const { delimiter, drawn } = file;
  const needsQuotes = (text: string) => text.includes(delimiter) || /^\s|\s$|["\r\n]/.test(text);
  const inQuotes = (text: string) => `"${text.replaceAll('"', '""')}"`;
  function cell(text: string, isText: boolean): string {
    const quoted = file.quotes === 'all' || (file.quotes === 'texts' && isText) || needsQuotes(text);
    return (
      (file.blanks && drawn % 2 ? ' ' : '') +
      (quoted ? inQuotes(text) : text) +
      (file.blanks && !quoted ? ' ' : '')
    );
  }
  const time = (n: number) => {
    const text = TIMES[file.time]!(n);
    return file.splitTime && text.includes(' ') ? text.split(/ (.*)/, 2) : [text];
  };
  const row = (n: number) => [
    ...(file.counted ? [cell(String(n), false)] : []),
    ...time(n).map((text) => cell(text, file.drawn % 3 === 0)),
    ...file.columns.map((kind, index) => {
      const text = VALUES[kind]!(n, drawn + index);
      return cell(
        file.comma && /^-?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text,
        !/^[-\d]/.test(text),
      );
    }),
  ];
  const rows = Array.from({ length: before + file.rows }, (_, n) => row(n));
  for (const [at, column, text] of file.odd) {
    const cells = rows[before + (at % file.rows)]!;
    cells[column % cells.length] = text;
  }
  if (before > 0) for (const [n, cells] of rows.entries()) cells.push(n < before ? PADDING : 'p');
  const names = [
    ...(file.counted ? [''] : []),
    ...(time(0).length > 1 ? ['date', 'time'] : ['time']),
    ...file.columns.map((kind, index) => `${kind.replaceAll(',', '')} ${index}`),
    ...(before > 0 ? ['padding'] : []),
  ];
  const lines = [...(file.header ? [names] : []), ...rows].map(
    (cells) => cells.join(delimiter) + (file.trailing ? delimiter : ''),
  );
  for (const [at, line] of file.lines) lines[before + (at % (lines.length - before))] = line;
  return file.mark + lines.join(file.lineEnd) + (file.openEnd ? '' : file.lineEnd);
}

/** Any settings. */
export const settingsOf = fc.record(
  {
    on_error: fc.constantFrom('keep', 'keep', 'abort'),
    zone: fc.constantFrom('Europe/Berlin', 'UTC', 'Australia/Lord_Howe'),
    time_column: fc.constantFrom('', 'time'),
    text_columns: fc.constant('whole 0,leading zeros 1'),
    number_columns: fc.constant('leading zeros 0'),
    columns: fc.constantFrom('whole 0', 'decimals 0,words 1'),
    decimal_mark: fc.constantFrom(',', '.'),
    date_order: fc.constantFrom(...DATE_ORDERS),
    time_kind: fc.constantFrom('epoch-s', 'epoch-ms', 'elapsed-s'),
    row_numbers: fc.constantFrom('keep', 'leave-out'),
    started: fc.constant('2015-02-04T10:00:00Z'),
    first_line: fc.constantFrom(1, 2),
  },
  { requiredKeys: ['on_error'] },
) satisfies fc.Arbitrary<ImportSettings>;
/** Settings that most files can be read with. */
export const usualSettings = fc.record({
  on_error: fc.constant('keep'),
  started: fc.constant('2015-02-04T10:00:00Z'),
  zone: fc.constantFrom('Europe/Berlin', 'UTC'),
}) satisfies fc.Arbitrary<ImportSettings>;
