import { formatCount } from '#shared/values/counts.ts';
import { CsvError, parse } from 'csv-parse/sync';
import type { LineEnd } from './line-ends.ts';
import { Pace } from '../../turns/pace.ts';

/* CSV as RFC 4180 has it, and more kindly: any delimiter, LF, CRLF or CR, blanks around fields, empty lines, stray quotes. */

/** A field as written. Quotes are kept in mind, because a writer may use them to tell the text "1" from the number 1. */
export interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

export interface CsvRow {
  /** Where the row begins in the file, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
  /** Whether the file ends behind it without a line break. */
  readonly isOpen?: boolean;
}

/** Whether two rows are written alike. */
export function isSameRow(one: CsvRow, other: CsvRow): boolean {
  return (
    one.cells.length === other.cells.length &&
    one.cells.every(({ text }, index) => text === other.cells[index]?.text)
  );
}

/** How rows are told apart, and their fields. */
export interface CsvShape {
  readonly delimiter: string;
  readonly lineEnd: LineEnd;
  /** The line of the first row, from 1; lines before it are passed over. */
  readonly firstLine: number;
}

/** A line that cannot be split into fields. */
export interface CsvFault {
  readonly line: number;
  readonly message: string;
}

/** One row may hold texts of megabytes; a quote that is never closed must not take a large file into memory. */
const MAX_ROW_CHARACTERS = 16 * 1024 * 1024;
const NOT_CLOSED = 'a text that begins with " must end with ", and none follows';
const NOT_DOUBLED = 'a " inside a text must be doubled, and the whole text must stand in quotes';
const TOO_LONG = `a row must be at most ${MAX_ROW_CHARACTERS / 1024 / 1024} Mi characters; a " is probably never closed`;
/** Far more than a table may have: a row of megabytes that is all delimiters must not become millions of fields. */
const MOST_FIELDS = 65_536;
export const tooWide = () => `a row must have at most ${formatCount(MOST_FIELDS)} fields`;
/** Bytes from which on rows can have more. */
const COUNTED_BYTES = 1 << 20;

class TooWide extends Error {
  override readonly name = 'TooWide';
}

const MIXED_BREAKS =
  'a field without quotes holds a line break (CR or LF) that does not end a row here; the lines of a file must end alike';
/** Where a field may hold a line break without quotes: a line break that ends no row. */
const OTHER_BREAK = { '\n': /\r(?!\n)/, '\r': /\n/ };

/** Rows split at once; a piece rarely has more, but what lies behind a quote that is never closed has. */
const ROWS_A_TURN = 1000;

/** Splits the first rows of a file, at most `most` of them; counts the lines that cannot be split, and says why the first. */
export function readCsvSample(
  text: string,
  shape: CsvShape,
  most = Infinity,
): { rows: CsvRow[]; faults: number; fault: CsvFault | null } {
  const rows: CsvRow[] = [];
  let faults = 0;
  let fault: CsvFault | null = null;
  for (const part of createSplitter(shape, Math.min(most, ROWS_A_TURN))(text, true))
    for (const one of part) {
      if (rows.length + faults === most) return { rows, faults, fault };
      if ('cells' in one) rows.push(one);
      else {
        faults++;
        fault ??= one;
      }
    }
  return { rows, faults, fault };
}

/** Splits a file of any size, a piece's worth of rows at a time. The text carries no byte order mark. */
export async function* readCsv(
  pieces: AsyncIterable<string>,
  shape: CsvShape,
): AsyncGenerator<(CsvRow | CsvFault)[]> {
  const split = createSplitter(shape);
  const pace = new Pace();
  for await (const piece of pieces) yield* paced(split(piece, false), pace);
  yield* paced(split('', true), pace);
}

async function* paced<T>(parts: Iterable<T>, pace: Pace): AsyncGenerator<T> {
  for (const part of parts) {
    yield part;
    await pace.pause();
  }
}

/** Takes a file's text piece by piece and gives the rows that end in it. */
export interface Splitter {
  (piece: string, last: boolean): Iterable<(CsvRow | CsvFault)[]>;
  /** Whether it stands between two rows, and behind the lines that are passed over. */
  isBetween(): boolean;
  /** Leaves out lines that somebody else has read; only between rows. */
  pass(lines: number): void;
}

/** `firstTurn`: rows split at first, of which few may be all that is wanted. */
export function createSplitter(shape: CsvShape, firstTurn = ROWS_A_TURN): Splitter {
  const { lineEnd, firstLine } = shape;
  /** Text from the beginning of a row on, which stands at `line`. */
  let rest = '';
  let line = 1;
  /** A row that did not end is looked at again when there is twice as much, so that a long one is not split for ever. */
  let worthwhile = 0;
  /** Whether something behind the last row says that the file ends there. */
  let isClosed = false;

  /** Splits the whole lines of `rest`. The answer says whether a row is left in them whose quotes are not closed. */
  function* splitRest(last: boolean): Generator<(CsvRow | CsvFault)[], boolean> {
    const linesEnd = last ? rest.length : rest.lastIndexOf(lineEnd) + 1;
    const text = rest.slice(0, linesEnd);
    const otherBreaks = OTHER_BREAK[lineEnd].test(text);
    const lines = Buffer.from(text);
    let at = 0;
    let open = false;
    let rows = firstTurn;
    while (at < lines.length && !open) {
      const part = splitLines(lines.subarray(at), line, shape, { last, isClosed, otherBreaks, rows });
      if (part.found.length > 0) yield part.found;
      at += part.end;
      rows = ROWS_A_TURN;
      ({ line, open } = part);
    }
    rest = lines.toString('utf8', at) + rest.slice(linesEnd);
    worthwhile = 2 * rest.length;
    return open;
  }

  function passOver(): void {
    for (; line < firstLine && rest.includes(lineEnd); line++) rest = rest.slice(rest.indexOf(lineEnd) + 1);
  }

  function* split(piece: string, last: boolean): Generator<(CsvRow | CsvFault)[]> {
    rest += piece;
    if (last) {
      const whole = rest.length;
      rest = withoutEnd(rest);
      isClosed = rest.length < whole;
    }
    if (line < firstLine) passOver();
    if (line < firstLine) return;
    if (!last && rest.length < worthwhile && rest.length <= MAX_ROW_CHARACTERS) return;
    while ((yield* splitRest(last)) && rest.length > MAX_ROW_CHARACTERS) {
      yield [{ line, message: TOO_LONG }];
      rest = rest.slice(rest.indexOf(lineEnd) + 1);
      line++;
    }
  }

  return Object.assign(split, {
    isBetween: () => rest === '' && line >= firstLine,
    pass: (lines: number) => void (line += lines),
  });
}

/** The text without what DOS, and loggers after it, write behind the last row: Ctrl-Z, and zeros up to the end of a block. */
function withoutEnd(text: string): string {
  let end = text.length;
  let at = end;
  while (at > 0 && '\u001A\0\r\n '.includes(text[at - 1] ?? '')) if (text[--at] === '\u001A') end = at;
  return text.slice(0, end);
}

interface Part {
  readonly found: (CsvRow | CsvFault)[];
  /** Where the part ends, in bytes, and the number of the line that begins there. */
  readonly end: number;
  readonly line: number;
  /** Whether a row begins there whose quotes are not closed. */
  readonly open: boolean;
}

/**
 * Splits the beginning of some lines, up to the first at fault. Behind a stray quote csv-parse would pass over everything
 * up to the next one; so that a fault costs its line alone, splitting ends there and begins anew with the line behind it.
 */
function splitLines(
  lines: Buffer,
  firstLine: number,
  { delimiter, lineEnd }: CsvShape,
  {
    last,
    isClosed,
    otherBreaks,
    rows,
  }: {
    readonly last: boolean;
    readonly isClosed: boolean;
    readonly otherBreaks: boolean;
    readonly rows: number;
  },
): Part {
  const found: (CsvRow | CsvFault)[] = [];
  let end = 0;
  let line = firstLine;
  let count = 0;
  let quoted: boolean[] = [];
  const endsOpen = last && !isClosed && lines.at(-1) !== lineEnd.charCodeAt(0);

  function takeRow(fields: readonly string[], { bytes }: { readonly bytes: number }): null {
    const cells = fields.map((text, index) => ({ text, quoted: quoted[index] ?? false }));
    if (otherBreaks && cells.some((cell) => !cell.quoted && /[\r\n]/.test(cell.text)))
      found.push({ line, message: MIXED_BREAKS });
    else if (cells.length > 1 || cells[0]?.quoted || cells[0]?.text !== '')
      found.push(endsOpen && bytes === lines.length ? { line, cells, isOpen: true } : { line, cells });
    line += lineBreaks(lines.subarray(end, bytes), lineEnd);
    end = bytes;
    count++;
    quoted = [];
    return null;
  }

  function noteQuotes(text: string, field: { readonly index: number; readonly quoting: boolean }): string {
    quoted.push(field.quoting);
    return countFields(text, field);
  }

  try {
    parse(lines, {
      delimiter,
      // The CR of a CRLF is a blank at the end of a line.
      record_delimiter: lineEnd,
      trim: true,
      relax_quotes: true,
      relax_column_count: true,
      to: rows,
      // A call for every field takes its time, and without quotes there is nothing to note.
      cast: lines.includes('"') ? noteQuotes : lines.length > COUNTED_BYTES && countFields,
      on_record: takeRow,
    });
    // Blanks at the end of the file are no row.
    return { found, end: count < rows ? lines.length : end, line, open: false };
  } catch (error) {
    if (!(error instanceof CsvError || error instanceof TooWide)) throw error;
    const notClosed = error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED';
    if (notClosed && !last) return { found, end, line, open: true };
    found.push({
      line,
      message: error instanceof TooWide ? tooWide() : notClosed ? NOT_CLOSED : NOT_DOUBLED,
    });
    return { found, end: lines.indexOf(lineEnd, end) + 1 || lines.length, line: line + 1, open: false };
  }
}

function countFields(text: string, { index }: { readonly index: number }): string {
  if (index >= MOST_FIELDS) throw new TooWide(tooWide());
  return text;
}

function lineBreaks(text: Buffer, lineEnd: LineEnd): number {
  let count = 0;
  for (let at = text.indexOf(lineEnd); at !== -1; at = text.indexOf(lineEnd, at + 1)) count++;
  return count;
}
