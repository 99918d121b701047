import { crc32 } from 'node:zlib';
import { parseJson } from '#shared/json.ts';
import { lastField } from './metadata-text.ts';

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
  /** What the document holds; of a table a `Table`. */
  readonly whole: ReadonlyMap<string, unknown>;
  /** Whether its last field is the CRC of all before it. */
  readonly hasCrc: boolean;
  /** The file's. */
  readonly bytes: number;
}

/** Is told of a thing of a table, and of the bytes of its line without comma and line feed. */
type Found = (table: string, thing: unknown, bytes: number) => void;

/** What an object over several lines holds, in their order. */
export class Table {
  readonly #names: string[] = [];
  /** Where a name comes twice, both. */
  readonly things: unknown[] = [];

  add(name: string, thing: unknown): void {
    this.#names.push(name);
    this.things.push(thing);
  }

  get object(): Record<string, unknown> {
    return Object.fromEntries(this.#names.map((name, i) => [name, this.things[i]]));
  }
}

/**
 * Reads JSON that has a thing a line, as metadata.json is written, a few lines after the others: all of it may be longer
 * than a text can be. Throws SyntaxError or TypeError where that is not how it is written, or it is no JSON.
 */
export async function readLines(pieces: AsyncIterable<Buffer>, found: Found): Promise<Lines> {
  const reader = new LineReader(found);
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
  return { document: () => documentOf(whole), whole, hasCrc: end.isCrc, bytes: end.bytes };
}

function documentOf(whole: ReadonlyMap<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Array.from(whole, ([name, thing]) => [name, thing instanceof Table ? thing.object : thing]),
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
  readonly #found: Found;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #whole = new Map<string, unknown>();
  #table: { readonly name: string; readonly table: Table } | null = null;
  #place: 'before' | 'within' | 'behind' = 'before';
  /** Whether another thing has to follow, may not, or is the first. */
  #next: 'first' | 'due' | 'over' = 'first';

  constructor(found: Found) {
    this.#found = found;
  }

  /** Reads the whole lines that there are; returns where they end. */
  read(bytes: Buffer): number {
    let from = 0;
    for (let feed = bytes.indexOf(LF); feed !== -1; feed = bytes.indexOf(LF, from)) {
      if (this.#table === null || bytes[from] === CLOSE) {
        this.line(bytes.subarray(from, feed));
        from = feed + 1;
      } else from = this.#things(bytes, from, feed);
    }
    return from;
  }

  /** A line without its line feed; nothing, where the file ends with one. */
  line(line: Buffer): void {
    if (line.length === 0 && this.#place === 'behind') return;
    const hasComma = line.at(-1) === COMMA;
    const text = this.#text(hasComma ? line.subarray(0, -1) : line);
    if (this.#place !== 'within') this.#open(text, hasComma);
    else if (text === '}') this.#close(hasComma);
    else if (!this.#opens(text, hasComma)) this.#add(text, hasComma);
  }

  /** All that the document holds. */
  end(): ReadonlyMap<string, unknown> {
    if (this.#place !== 'behind') throw new SyntaxError('it ends before its last line');
    return this.#whole;
  }

  /**
   * Reads the line of a table that ends at `feed`, and some behind it; returns where they end. They are read as an array
   * of names and things, by turns, for which the colons between them are written over: as names of one object V8 would
   * keep every id of ten thousand rows for the sake of the next object that has it.
   */
  #things(bytes: Buffer, from: number, feed: number): number {
    const lengths: number[] = [];
    let [start, end] = [from, feed];
    for (let next = feed; next !== -1; next = bytes.indexOf(LF, start)) {
      end = next;
      lengths.push(end - start - (bytes[end - 1] === COMMA ? 1 : 0));
      bytes[colonBehindName(bytes, start, end)] = COMMA;
      start = end + 1;
      if (end - from > TOGETHER || bytes[start] === CLOSE) break;
    }
    const hasComma = bytes[end - 1] === COMMA;
    this.#addAll(this.#text(bytes.subarray(from, hasComma ? end - 1 : end)), hasComma, lengths);
    return start;
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
    this.#follow(text, hasComma);
    for (const [name, thing] of Object.entries(parseJson(`{${text}}`) as object))
      this.#whole.set(name, thing);
  }

  /** `lengths`: the bytes of the lines that the text is of, a thing each. */
  #addAll(text: string, hasComma: boolean, lengths: readonly number[]): void {
    this.#follow(text, hasComma);
    const read = parseJson(`[${text}]`) as unknown[];
    if (this.#table === null || read.length !== 2 * lengths.length) throw otherwise(text);
    const { name: table, table: things } = this.#table;
    for (const [i, length] of lengths.entries()) {
      const [name, thing] = [read[2 * i], read[2 * i + 1]];
      if (typeof name !== 'string') throw otherwise(text);
      things.add(name, thing);
      this.#found(table, thing, length);
    }
  }

  #follow(text: string, hasComma: boolean): void {
    if (this.#next === 'over') throw otherwise(text);
    this.#next = hasComma ? 'due' : 'over';
  }

  #text(bytes: Buffer): string {
    return this.#decoder.decode(bytes);
  }
}

/** Where the colon stands behind the name that a line begins with. Throws SyntaxError where it begins otherwise. */
function colonBehindName(bytes: Buffer, from: number, to: number): number {
  let at = from + 1;
  while (at < to && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  if (bytes[from] === QUOTE && at + 1 < to && bytes[at + 1] === COLON) return at + 1;
  throw otherwise(bytes.toString('utf8', from, to));
}

const otherwise = (text: string) =>
  new SyntaxError(`a line begins with ${JSON.stringify(text.slice(0, 20))}`);
