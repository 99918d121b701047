import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ImportSettings } from '#shared/operations/records/records.ts';
import { importFile, plain } from '../../../helpers/files/imports.ts';

/* Recordings written in every combination of what loggers and spreadsheets do, against what was written into them. */

interface Dialect {
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly decimal: '.' | ',';
  readonly quotes: 'needed' | 'texts' | 'all';
  readonly encoding: 'utf-8' | 'utf-8 with a mark' | 'utf-16le' | 'utf-16be' | 'windows-1252';
  /** A delimiter at the end of each row, of the header too, or of none. */
  readonly trailing: 'none' | 'rows' | 'all';
  readonly dates: 'iso' | 'iso zoned' | 'day-first' | 'month-first' | 'epoch-s' | 'epoch-ms';
  readonly rowNumbers: 'none' | 'named' | 'unnamed';
  readonly lastLineEnds: boolean;
}

interface Row {
  readonly time: number;
  readonly number: number | null;
  readonly text: string | null;
  readonly on: boolean;
}

const dialects: fc.Arbitrary<Dialect> = fc
  .record<Dialect>({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    decimal: fc.constantFrom('.', ','),
    quotes: fc.constantFrom('needed', 'texts', 'all'),
    encoding: fc.constantFrom('utf-8', 'utf-8 with a mark', 'utf-16le', 'utf-16be', 'windows-1252'),
    trailing: fc.constantFrom('none', 'rows', 'all'),
    dates: fc.constantFrom('iso', 'iso zoned', 'day-first', 'month-first', 'epoch-s', 'epoch-ms'),
    rowNumbers: fc.constantFrom('none', 'named', 'unnamed'),
    lastLineEnds: fc.boolean(),
  })
  // Between commas a decimal comma is nothing that a writer can mean to be understood.
  .filter(({ delimiter, decimal }) => !(delimiter === ',' && decimal === ','))
  // Names that lack one at the front and fields that have one more at the end cancel out: no reader could tell.
  .filter(({ rowNumbers, trailing }) => !(rowNumbers === 'unnamed' && trailing === 'rows'));

const rows: fc.Arbitrary<Row[]> = fc
  .array(
    fc.record({
      number: fc.oneof(
        fc.integer({ min: -1e6, max: 1e6 }).map((whole) => whole / 16),
        fc.constantFrom(null, 0, 1e-7, 21.5),
      ),
      text: fc.constantFrom(
        null,
        'open',
        'two words',
        'a,b',
        'a;b',
        'a\tb',
        'a|b',
        'say "x"',
        'two\nlines',
        'ü°é',
        ' edge',
      ),
      on: fc.boolean(),
    }),
    { minLength: 2, maxLength: 40 },
  )
  .map((list) =>
    list.map((row, index) => ({ ...row, time: Date.UTC(2015, 1, 20, 17, 51) + index * 3_600_000 })),
  );

const two = (number: number) => String(number).padStart(2, '0');

function timeText(time: number, dates: Dialect['dates']): string {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), two(date.getUTCMonth() + 1), two(date.getUTCDate())];
  const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
  if (dates === 'iso') return `${year}-${month}-${day} ${clock}`;
  if (dates === 'iso zoned') return `${year}-${month}-${day}T${clock}:00Z`;
  if (dates === 'day-first') return `${day}/${month}/${year} ${clock}`;
  if (dates === 'month-first') return `${month}/${day}/${year} ${clock}`;
  return String(dates === 'epoch-s' ? time / 1000 : time);
}

/** The file, written without anything of the reader. */
function write(list: readonly Row[], dialect: Dialect): Buffer {
  const { delimiter, lineEnd, decimal, quotes, trailing, dates, rowNumbers, encoding, lastLineEnds } =
    dialect;
  const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
  const word = (text: string) => {
    const needed = text.includes(delimiter) || /["\r\n]|^\s/.test(text);
    return quotes !== 'needed' || needed ? quote(text) : text;
  };
  const bare = (text: string) => (quotes === 'all' ? quote(text) : text);
  const number = (value: number) => bare(String(value).replace('.', decimal));
  const header = [...(rowNumbers === 'named' ? ['index'] : []), 'time', 'number', 'text', 'on'].map(word);
  const lines = list.map((row, index) =>
    [
      ...(rowNumbers === 'none' ? [] : [bare(String(index + 1))]),
      bare(timeText(row.time, dates)),
      row.number === null ? '' : number(row.number),
      row.text === null ? '' : word(row.text),
      bare(String(row.on)),
      ...(trailing === 'none' ? [] : ['']),
    ].join(delimiter),
  );
  const names = header.join(delimiter) + (trailing === 'all' ? delimiter : '');
  const text = [names, ...lines].join(lineEnd) + (lastLineEnds ? lineEnd : '');
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1');
  if (encoding === 'utf-16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  return Buffer.from((encoding === 'utf-8' ? '' : '\uFEFF') + text);
}

/** What people must say, since no file does. */
function settingsFor({ encoding, dates }: Dialect): ImportSettings {
  return {
    ...(encoding === 'windows-1252' && { encoding }),
    ...((dates === 'day-first' || dates === 'month-first') && { date_order: dates }),
  };
}

test('a recording comes in value for value, whatever wrote it', async () => {
  await fc.assert(
    fc.asyncProperty(rows, dialects, fc.integer({ min: 1, max: 300 }), async (list, dialect, chunk) => {
      const settings = settingsFor(dialect);
      const { records } = await importFile(write(list, dialect), { settings, chunk });
      expect(records.map(plain)).toEqual(
        list.map(({ number, text, on }) => ({
          ...(number !== null && { number }),
          ...(text !== null && { text }),
          on,
        })),
      );
      expect(records.map(({ timestamp }) => timestamp)).toEqual(list.map(({ time }) => time * 1000));
    }),
    { seed: 20_261_121, numRuns: 400 },
  );
});

test('a date order that the file proves needs no saying', async () => {
  const list = Array.from({ length: 30 }, (_, day) => ({
    time: Date.UTC(2015, 0, day + 1),
    number: day,
    text: null,
    on: true,
  }));
  for (const dates of ['day-first', 'month-first'] as const) {
    const dialect: Dialect = {
      delimiter: ';',
      lineEnd: '\r\n',
      decimal: ',',
      quotes: 'needed',
      encoding: 'utf-8',
      trailing: 'none',
      dates,
      rowNumbers: 'none',
      lastLineEnds: true,
    };
    const { records, result } = await importFile(write(list, dialect));
    expect(records.map(({ timestamp }) => timestamp)).toEqual(list.map(({ time }) => time * 1000));
    expect(result.notes.join()).not.toMatch(/cannot be told/);
  }
});
