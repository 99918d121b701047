import { hash } from 'node:crypto';
import type { Micros } from '#shared/values/time.ts';
import { byCodeUnits } from '../store/blocks/block/row-slice.ts';
import { NUMBER, TEXT } from '../store/record-columns.ts';
import { ROW, type StoredRecord, type TakeCell } from '../store/store.ts';

/*
 * What a record is, whoever stores it (docs/local-api.md, "Sync"): the first 16 bytes of the SHA-256 over a JSON array of its time in µs,
 * then its keys in the order of UTF-16 code units, each before its value. JSON says the kind of a value; -0 is 0 there. When it
 * was received is no part of it: a file that was imported on both sides is the same records on both, as it is for an import
 * that skips what is there. Equal records have equal ids, and are told apart by how many there are.
 */

/** 32 characters of hex. */
export type RecordId = string;

const ID_LENGTH = 32;

export const idOf = (content: string): RecordId => hash('sha256', content, 'hex').slice(0, ID_LENGTH);

/** The text that a record's id is made of. */
export function contentOf({ timestamp, keys, values }: StoredRecord): string {
  const places = keys.map((_, i) => i);
  if (keys.some((key, i) => i > 0 && keys[i - 1]! > key))
    places.sort((a, b) => byCodeUnits(keys[a]!, keys[b]!));
  let text = `[${timestamp}`;
  for (const i of places) text += `,${JSON.stringify(keys[i])},${JSON.stringify(values[i])}`;
  return `${text}]`;
}

/** A row as a survey walks past it. */
export interface Row {
  readonly time: Micros;
  readonly received: Micros;
}

/**
 * Puts the contents of records together from the cells of a survey, whose keys are in the order of code units. `whole` gets
 * each record with its content once all its cells have come.
 */
export class ContentReader {
  readonly #names: readonly string[];
  readonly #whole: (row: Row, content: string) => void;
  #row: Row | null = null;
  #places: number[] = [];
  #cells: string[] = [];

  constructor(keys: readonly string[], whole: (row: Row, content: string) => void) {
    this.#names = keys.map((key) => `,${JSON.stringify(key)},`);
    this.#whole = whole;
  }

  readonly take: TakeCell = (place, time, kind, number, text) => {
    if (place === ROW) {
      this.end();
      this.#row = { time, received: number };
      return;
    }
    const value =
      kind === TEXT ? JSON.stringify(text) : kind === NUMBER ? String(number) : String(number === 1);
    this.#places.push(place);
    this.#cells.push(`${this.#names[place]!}${value}`);
  };

  /** Hands on the record under way. */
  end(): void {
    const row = this.#row;
    if (row === null) return;
    this.#row = null;
    const content = `[${row.time}${this.#inOrder().join('')}]`;
    this.#places = [];
    this.#cells = [];
    this.#whole(row, content);
  }

  #inOrder(): readonly string[] {
    const places = this.#places;
    if (places.every((place, i) => i === 0 || places[i - 1]! < place)) return this.#cells;
    return places
      .map((place, i) => ({ place, cell: this.#cells[i]! }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ cell }) => cell);
  }
}
