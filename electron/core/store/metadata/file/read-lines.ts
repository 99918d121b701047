import { crc32 } from 'node:zlib';
import { parseJson } from '#shared/values/json.ts';
import { lastField } from '../metadata-text.ts';

const [LF, QUOTE, COMMA, COLON, BACKSLASH, CLOSE] = [10, 34, 44, 58, 92, 125];
/** The line that begins a table, or whatever else is an object over several lines. */
const OPENING = /^"(\w+)":\{$/;
/** Bytes of things that are read as one text. */
const TOGETHER = 1 << 16;
/** Bytes at the end of a file that its CRC is not of. */
const LAST_BYTES = lastField(0).length;

/** A document as its lines say it. */
export interface Lines {
  /** The document, put together when it is asked for: of ten thousand rows that is a large part of reading them. */
  document(): unknown;
  /** Values of the document; of a table a `Table`. */
  readonly whole: ReadonlyMap<string, unknown>;
  /** Whether its last field is the CRC of all before it. */
  readonly hasCrc: boolean;
  /** The file's. */
  readonly bytes: number;
}

/** Things of a table that stand on lines behind one another. */
interface Batch {
  /** Where in the table the first one stands. */
  readonly from: number;
  readonly things: readonly unknown[];
}

interface UnparsedBatch {
  readonly from: number;
  readonly count: number;
  /** Names and things by turns, with commas between them. */
  readonly text: string;
}

/** The lines of a table, found in its bytes. */
interface TableLines {
  readonly names: string[];
  readonly lengths: number[];
  readonly batches: (Batch | UnparsedBatch)[];
}

/**
 * Lazy table: an object over several lines, in their order. A start needs few of ten thousand rows, and finding and parsing
 * their lines takes longer than all else that it does with them: lines are found at the first look-up, and parsed together
 * with those around it.
 */
export class Table {
  /** Whole lines, until somebody asks for one. */
  #spans: Buffer[] = [];
  #lines: TableLines | null = null;

  /** `lines`: whole ones, with their line feeds; they are written over. */
  add(lines: Buffer): void {
    this.#spans.push(lines);
  }

  /** Where one comes twice, both. Throws SyntaxError, as whatever else is asked. */
  get names(): readonly string[] {
    return this.#found().names;
  }

  /** Bytes of their lines, without comma and line feed. */
  get lengths(): readonly number[] {
    return this.#found().lengths;
  }

  /** The thing at `i` with those that are parsed with it. */
  around(i: number): Batch {
    return this.#parsed(this.#found().batches.findLastIndex(({ from }) => from <= i));
  }

  /** All of them. */
  things(): unknown[] {
    return this.#found().batches.flatMap((_, at) => this.#parsed(at).things);
  }

  object(): Record<string, unknown> {
    const things = this.things();
    return Object.fromEntries(this.names.map((name, i) => [name, things[i]]));
  }

  #found(): TableLines {
    if (this.#lines) return this.#lines;
    const lines: TableLines = { names: [], lengths: [], batches: [] };
    for (const span of this.#spans)
      for (let from = 0; from < span.length;) from = addBatch(span, from, lines);
    this.#spans = [];
    return (this.#lines = lines);
  }

  #parsed(at: number): Batch {
    const { batches, names } = this.#found();
    const batch = batches[at];
    if (batch === undefined) throw new RangeError(`${names.length} things have no batch ${at}`);
    if ('things' in batch) return batch;
    return (batches[at] = { from: batch.from, things: parse(batch) });
  }
}

/**
 * Adds the line that begins at `from`, and some behind it; returns where they end. They are read as an array of names and
 * things, by turns, for which the colons between them are written over: as names of one object V8 would keep every id of
 * ten thousand rows for the sake of the next object that has it.
 */
function addBatch(bytes: Buffer, from: number, { names, lengths, batches }: TableLines): number {
  const first = names.length;
  let start = from;
  while (start < bytes.length && start - from <= TOGETHER) {
    const end = bytes.indexOf(LF, start);
    lengths.push(end - start - (bytes[end - 1] === COMMA ? 1 : 0));
    const colon = colonBehindName(bytes, start, end);
    names.push(nameIn(bytes, start, colon));
    bytes[colon] = COMMA;
    start = end + 1;
  }
  const end = start - (bytes[start - 2] === COMMA ? 2 : 1);
  batches.push({ from: first, count: names.length - first, text: textOf(bytes.subarray(from, end)) });
  return start;
}

function parse({ count, text }: UnparsedBatch): unknown[] {
  const parsed = parseJson(`[${text}]`) as unknown[];
  if (parsed.length !== 2 * count) throw otherwise(text);
  return Array.from({ length: count }, (_, i) => parsed[2 * i + 1]);
}

/**
 * Reads JSON that has a thing a line, as metadata.json is written, a few lines after the others: all of it may be longer
 * than a text can be. Throws SyntaxError or TypeError where that is not how it is written, or it is no JSON; tables are
 * looked into now only where no CRC tells that they can be read.
 */
export async function readLines(pieces: AsyncIterable<Buffer>): Promise<Lines> {
  const reader = new LineReader();
  const end = new Ending();
  let begun: Buffer[] = [];
  for await (const piece of pieces) {
    end.add(piece);
    begun.push(piece);
    if (!piece.includes(LF)) continue;
    const lines = begun.length > 1 ? Buffer.concat(begun) : piece;
    begun = [lines.subarray(reader.read(lines))];
  }
  reader.line(Buffer.concat(begun));
  const whole = reader.end();
  if (!end.isCrc) for (const thing of whole.values()) if (thing instanceof Table) thing.things();
  return { document: () => documentOf(whole), whole, hasCrc: end.isCrc, bytes: end.bytes };
}

function documentOf(whole: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(whole, ([name, thing]) => [name, thing instanceof Table ? thing.object() : thing]),
  );
}

/** The CRC of all that was added but its last bytes, and these. */
class Ending {
  bytes = 0;
  #crc = 0;
  #last: Buffer = Buffer.alloc(0);

  add(piece: Buffer): void {
    this.bytes += piece.length;
    // A piece of its own is longer than the end by far, unless it is the last.
    const held = piece.length < LAST_BYTES ? Buffer.concat([this.#last, piece]) : piece;
    if (held === piece) this.#crc = crc32(this.#last, this.#crc);
    const end = Math.max(0, held.length - LAST_BYTES);
    this.#crc = crc32(held.subarray(0, end), this.#crc);
    this.#last = held.subarray(end);
  }

  get isCrc(): boolean {
    return this.#last.toString('latin1') === lastField(this.#crc);
  }
}

/** Puts a document together from its lines. */
class LineReader {
  readonly #whole = new Map<string, unknown>();
  #table: { readonly name: string; readonly table: Table } | null = null;
  #place: 'before' | 'within' | 'behind' = 'before';
  /** Whether another thing has to follow, may not, or is the first. */
  #next: 'first' | 'due' | 'over' = 'first';

  /** Reads the whole lines that there are; returns where they end. */
  read(bytes: Buffer): number {
    const to = bytes.lastIndexOf(LF) + 1;
    for (let from = 0; from < to;) {
      if (this.#table !== null && bytes[from] !== CLOSE)
        from = this.#tableLines(this.#table.table, bytes, from, to);
      else {
        const feed = bytes.indexOf(LF, from);
        this.line(bytes.subarray(from, feed));
        from = feed + 1;
      }
    }
    return to;
  }

  /** A line without its line feed; nothing, where the file ends with one. */
  line(line: Buffer): void {
    if (line.length === 0 && this.#place === 'behind') return;
    const hasComma = line.at(-1) === COMMA;
    const text = textOf(hasComma ? line.subarray(0, -1) : line);
    if (this.#place !== 'within') this.#open(text, hasComma);
    else if (text === '}') this.#close(hasComma);
    else if (!this.#opens(text, hasComma)) this.#add(text, hasComma);
  }

  /** All that the document holds. */
  end(): ReadonlyMap<string, unknown> {
    if (this.#place !== 'behind') throw new SyntaxError('it ends before its last line');
    return this.#whole;
  }

  /** Adds the lines of a table from `from` on, up to its end or to `to`; returns where they end. */
  #tableLines(table: Table, bytes: Buffer, from: number, to: number): number {
    const close = bytes.indexOf('\n}', from);
    const end = close === -1 ? to : close + 1;
    this.#follow(() => textOf(bytes.subarray(from, end)), bytes[end - 2] === COMMA);
    table.add(bytes.subarray(from, end));
    return end;
  }

  #open(text: string, hasComma: boolean): void {
    if (this.#place !== 'before' || text !== '{' || hasComma) throw otherwise(text);
    this.#place = 'within';
  }

  /** Whether a line begins a table. */
  #opens(text: string, hasComma: boolean): boolean {
    const opened = this.#table === null && !hasComma ? OPENING.exec(text)?.[1] : undefined;
    if (opened === undefined) return false;
    if (this.#next === 'over') throw otherwise(text);
    this.#table = { name: opened, table: new Table() };
    this.#next = 'first';
    return true;
  }

  #close(hasComma: boolean): void {
    if (this.#next === 'due') throw otherwise('}');
    this.#next = hasComma ? 'due' : 'over';
    if (this.#table === null) {
      if (hasComma) throw otherwise('},');
      this.#place = 'behind';
    } else this.#whole.set(this.#table.name, this.#table.table);
    this.#table = null;
  }

  /** A line of the document itself. */
  #add(text: string, hasComma: boolean): void {
    this.#follow(() => text, hasComma);
    for (const [name, thing] of Object.entries(parseJson(`{${text}}`) as object))
      this.#whole.set(name, thing);
  }

  #follow(text: () => string, hasComma: boolean): void {
    if (this.#next === 'over') throw otherwise(text());
    this.#next = hasComma ? 'due' : 'over';
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Throws TypeError where it is no UTF-8. */
const textOf = (bytes: Buffer) => decoder.decode(bytes);

/** Where the colon stands behind the name that a line begins with. Throws SyntaxError where it begins otherwise. */
function colonBehindName(bytes: Buffer, from: number, to: number): number {
  let at = from + 1;
  while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  if (bytes[from] === QUOTE && at + 1 < to && bytes[at + 1] === COLON) return at + 1;
  throw otherwise(bytes.toString('utf8', from, to));
}

/** A name that stands there as it is. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;

function nameIn(bytes: Buffer, from: number, colon: number): string {
  const name = bytes.toString('latin1', from + 1, colon - 1);
  return PLAIN.test(name) ? name : (parseJson(bytes.toString('utf8', from, colon)) as string);
}

const otherwise = (text: string) =>
  new SyntaxError(`a line begins with ${JSON.stringify(text.slice(0, 20))}`);
