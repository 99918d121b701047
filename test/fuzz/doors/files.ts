import * as fc from 'fast-check';
import {
  DATE_ORDERS,
  DELIMITERS,
  ENCODINGS,
  TIME_KINDS,
  type ImportSettings,
} from '#shared/operations/records/records.ts';
import { mutated, mutations } from './mutate.ts';
import { payload } from './http/payloads.ts';

/* Files of records as loggers and spreadsheets write them, then damaged or made to do harm, and settings to read them by. */

export interface FuzzedFile {
  readonly text: string;
  readonly encoding: (typeof FILE_ENCODINGS)[number];
  readonly changes: Parameters<typeof mutated>[1];
  readonly settings: ImportSettings;
  readonly type: string;
  /** Bytes that arrive at once. */
  readonly chunk: number;
}

const FILE_ENCODINGS = ['utf8', 'latin1', 'utf16le', 'utf8 with mark', 'utf16le with mark'] as const;

const ROWS = 40;
const two = (n: number) => String(n).padStart(2, '0');
/** How a time is written; n seconds on. */
const TIMES: readonly ((n: number) => string)[] = [
  (n) => new Date(1.7e12 + n * 1000).toISOString(),
  (n) => new Date(1.7e12 + n * 1000).toISOString().slice(0, 19).replace('T', ' '),
  (n) => `${two(1 + (n % 28))}/${two(1 + (n % 12))}/2015 12:00`,
  (n) => `${two(1 + (n % 28))}.${two(1 + (n % 12))}.2015 12:00:${two(n % 60)}`,
  (n) => `${1.7e9 + n}`,
  (n) => `${1.7e12 + n}`,
  (n) => `${1.7e18 + n}`,
  (n) => `${n / 10}`,
  (n) => `Mar ${1 + (n % 28)}, 2015, 3:04 PM`,
  () => '',
  () => '99999999999999999999',
  () => '2015-02-30',
];
const CELLS: readonly ((n: number) => string)[] = [
  (n) => `${n / 8}`,
  (n) => `${n},5`,
  (n) => `"${n}"`,
  (n) => `"a ""${n}"" b"`,
  (n) => `"line\n${n}"`,
  (n) => `'${n}'`,
  (n) => `00${n}`,
  (n) => `${n}e${n}`,
  (n) => (n % 2 === 0 ? 'true' : 'FALSE'),
  (n) => '1.234.567,89'.slice(n % 5),
  () => '',
  () => 'NA',
  () => '"',
  () => '\0',
  () => '=1+1',
  () => '1'.repeat(40_000),
  () => 'x'.repeat(70_000),
  () => '\u00b5°\ud83d\ude00',
  () => '9007199254740993',
  () => '0.1234567890123456789012345',
];
const NAMES = [
  'time',
  'Date',
  'timestamp',
  'a',
  'a',
  'b',
  '',
  ' ',
  '"x,y"',
  '"',
  '__proto__',
  'Größe',
  '1',
  '\u0000',
  'k'.repeat(129),
];

/** Long cells rarely: each takes a while to judge. */
const cell = fc.oneof(
  { arbitrary: fc.constantFrom(...CELLS.slice(0, 12)), weight: 20 },
  fc.constantFrom(...CELLS),
);

const table = fc
  .record({
    delimiter: fc.oneof(
      { arbitrary: fc.constantFrom<string>(...DELIMITERS), weight: 8 },
      fc.constantFrom(' ', '::', ''),
    ),
    lineBreak: fc.constantFrom('\n', '\r\n', '\r', '\n\n'),
    names: fc.option(fc.array(fc.constantFrom(...NAMES), { maxLength: 6 })),
    preamble: fc.constantFrom('', '# a comment\n', 'Device: x;;;\n\n', 'sep=;\n', '\n\n\n'),
    time: fc.oneof(
      { arbitrary: fc.constantFrom(...TIMES.slice(0, 6)), weight: 5 },
      fc.constantFrom(...TIMES),
    ),
    cells: fc.array(cell, { minLength: 1, maxLength: 5 }),
    rows: fc.oneof({ arbitrary: fc.integer({ min: 0, max: ROWS }), weight: 9 }, fc.constant(1500)),
    ragged: fc.boolean(),
  })
  .map(({ delimiter, lineBreak, names, preamble, time, cells, rows, ragged }) => {
    const isLong = cells.some((made) => made(1).length > 1000);
    const lines = Array.from({ length: isLong ? Math.min(rows, 4) : rows }, (_, n) =>
      [time(n), ...cells.slice(ragged ? n % 3 : 0).map((made) => made(n))].join(delimiter),
    );
    return preamble + [...(names ? [names.join(delimiter)] : []), ...lines].join(lineBreak);
  });

const columns = (count: number) => Array.from({ length: count }, (_, n) => `c${n}`).join(',');
const HOSTILE = [
  '',
  '\0'.repeat(3000),
  '"'.repeat(20_001),
  ','.repeat(50_000),
  '\n'.repeat(50_000),
  `time,${columns(5000)}\n2026-01-01T00:00:00Z,${columns(5000)}\n`,
  `time,a\n2026-01-01T00:00:00Z,"${'x\n'.repeat(20_000)}`,
  `time,a\n${'2026-01-01T00:00:00Z,1\n'.repeat(3000)}`,
  `time,a\n2026-01-01T00:00:00Z,1\n${'2026-01-01T00:00:00Z,"1"\n'.repeat(2000)}"`,
  `time;a\n${'01.02.2015 12:00;1,5\n'.repeat(500)}`,
  '%PDF-1.7\n',
  'PK\u0003\u0004',
  'x'.repeat(300_000),
];

const text = fc.oneof(
  { arbitrary: table, weight: 8 },
  { arbitrary: payload, weight: 3 },
  { arbitrary: fc.constantFrom(...HOSTILE), weight: 1 },
);

const column = fc.constantFrom('time', 'Date', 'a', 'b', 'c1', '', 'Größe', '__proto__', 'a,b', 'column 1');
const settings: fc.Arbitrary<ImportSettings> = fc.oneof(
  { arbitrary: fc.constant({}), weight: 3 },
  fc.record(
    {
      format: fc.constantFrom('csv' as const, 'ndjson' as const),
      encoding: fc.constantFrom(...ENCODINGS),
      on_error: fc.constantFrom('abort' as const, 'keep' as const),
      zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
      delimiter: fc.constantFrom(...DELIMITERS),
      first_line: fc.constantFrom(1, 2, 3, 1_000_000),
      header: fc.constantFrom('yes' as const, 'no' as const),
      unnamed_column: fc.constantFrom('first' as const, 'last' as const),
      units_row: fc.constantFrom('yes' as const, 'no' as const),
      units_line: fc.constantFrom(1, 2, 3, 4, 1_000_000),
      time_column: column,
      time_kind: fc.constantFrom(...TIME_KINDS),
      started: fc.constantFrom('2026-03-02T20:30:00Z', '2026-03-02 20:30', 'x'),
      date_order: fc.constantFrom(...DATE_ORDERS),
      decimal_mark: fc.constantFrom('.' as const, ',' as const),
      columns: column,
      text_columns: column,
      number_columns: column,
      row_numbers: fc.constantFrom('keep' as const, 'leave-out' as const),
    },
    { requiredKeys: [] },
  ),
  fc.constant({ time_column: '', on_error: 'keep' as const }),
);

export const file: fc.Arbitrary<FuzzedFile> = fc.record({
  text,
  encoding: fc.oneof(
    { arbitrary: fc.constant('utf8' as const), weight: 4 },
    fc.constantFrom(...FILE_ENCODINGS),
  ),
  changes: fc.oneof({ arbitrary: fc.constant([]), weight: 2 }, mutations(4)),
  settings,
  type: fc.constantFrom(
    'text/csv',
    'application/x-ndjson',
    'application/octet-stream',
    'text/csv; charset=x',
  ),
  chunk: fc.oneof(fc.constant(1e6), fc.constantFrom(64, 1000, 4096)),
});

/** The file's bytes, at most 512 KB. */
export function bytesOf({ text: content, encoding, changes }: FuzzedFile): Buffer {
  const [name = 'utf8', hasMark] = encoding.split(' with ');
  const bytes = Buffer.from((hasMark ? '\ufeff' : '') + content, name as BufferEncoding);
  return mutated(bytes, changes).subarray(0, 512 * 1024);
}
