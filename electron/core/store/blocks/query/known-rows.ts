import { ABSENT, TEXT } from '../block/cell-kind.ts';
import type { RowSlice } from '../block/row-slice.ts';
import type { Columnar, KnownRecords, StoredRecord, Value } from '../../store.ts';
import { Pace } from '../../../turns/pace.ts';
import { Cursor } from './cursor.ts';
import type { Timeline } from './timeline.ts';

const BATCH_ROWS = 1024;
/** Stored rows that are walked over for one that is looked for; where they are more, each time is looked up by itself. */
const WALK = 16;

/** The records that are looked for, in order of time. */
interface Wanted {
  readonly size: number;
  time(place: number): number;
  hash(place: number): number;
  equals(place: number, slice: RowSlice, row: number): boolean;
  found(place: number): void;
}

/**
 * Finds records among stored rows, walking both in order of time. Memory is a bit for each stored row, which says that it
 * was found already: of equal records, one in the store is one that was found.
 */
export class KnownRows implements KnownRecords {
  readonly #timeline: Timeline;
  readonly #taken: Uint8Array;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.#taken = new Uint8Array(Math.ceil(timeline.rows / 8));
  }

  async find(records: Columnar | readonly StoredRecord[]): Promise<Uint8Array> {
    const size = 'columns' in records ? records.size : records.length;
    const mask = new Uint8Array(size);
    if (size === 0 || this.#timeline.rows === 0) return mask;
    const wanted = 'columns' in records ? ofColumns(records, mask) : ofRecords(records, mask);
    const { from, to } = this.#timeline.ranks({ start: wanted.time(0), end: wanted.time(size - 1) });
    if (to - from <= size * WALK) await this.#walk(from, to, wanted, 0, size);
    else
      for (let place = 0; place < size;) {
        const time = wanted.time(place);
        let end = place + 1;
        while (end < size && wanted.time(end) === time) end++;
        const ranks = this.#timeline.ranks({ start: time, end: time });
        if (ranks.from < ranks.to) await this.#walk(ranks.from, ranks.to, wanted, place, end);
        place = end;
      }
    return mask;
  }

  /** Finds wanted places [place, end) among the rows of some ranks. */
  async #walk(from: number, to: number, wanted: Wanted, place: number, end: number): Promise<void> {
    const cursor = new Cursor(this.#timeline, from, to, false, { received: false });
    const pace = new Pace();
    let rank = from;
    let next = place;
    /** Records of one time that were not found yet, by their hash. */
    let group = new Map<number, number[]>();
    let groupTime = NaN;
    for (let batch = cursor.next(BATCH_ROWS); batch !== null; batch = cursor.next(BATCH_ROWS)) {
      for (let i = 0; i < batch.size; i++, rank++) {
        const slice = batch.sliceAt(i);
        const row = batch.rowAt(i);
        const time = slice.times[row]!;
        if (time !== groupTime) {
          while (next < end && wanted.time(next) < time) next++;
          groupTime = time;
          group = new Map();
          for (; next < end && wanted.time(next) === time; next++) {
            const hash = wanted.hash(next);
            const places = group.get(hash);
            if (places) places.push(next);
            else group.set(hash, [next]);
          }
        }
        if (group.size === 0 || this.#isTaken(rank)) continue;
        const places = group.get(hashOf(slice, row));
        const at = places?.findIndex((one) => wanted.equals(one, slice, row)) ?? -1;
        if (places === undefined || at < 0) continue;
        wanted.found(places[at]!);
        places.splice(at, 1);
        this.#taken[rank >>> 3]! |= 1 << (rank & 7);
      }
      await pace.pause();
    }
  }

  #isTaken(rank: number): boolean {
    return ((this.#taken[rank >>> 3]! >> (rank & 7)) & 1) === 1;
  }
}

/** The places of times in their order; equal ones as they came. */
function inOrder(size: number, time: (row: number) => number): Uint32Array {
  const order = Uint32Array.from({ length: size }, (_, row) => row);
  let sorted = true;
  for (let row = 1; row < size && sorted; row++) sorted = time(row - 1) <= time(row);
  return sorted ? order : order.toSorted((a, b) => time(a) - time(b) || a - b);
}

function ofColumns({ size, times, columns }: Columnar, mask: Uint8Array): Wanted {
  const order = inOrder(size, (row) => times[row]!);
  const byKey = new Map(columns.map((column) => [column.key, column]));
  const keys = columns.map(({ key }) => hashOfText(key));
  return {
    size,
    time: (place) => times[order[place]!]!,
    hash(place) {
      const row = order[place]!;
      let hash = 0;
      for (const [i, { kinds, numbers, texts }] of columns.entries()) {
        const kind = kinds[row]!;
        if (kind !== ABSENT) hash = (hash + mix(keys[i]!, kind, numbers[row]!, texts[row])) | 0;
      }
      return hash;
    },
    equals(place, slice, row) {
      const own = order[place]!;
      let cells = 0;
      for (const { kinds } of columns) if (kinds[own] !== ABSENT) cells++;
      for (const column of slice.columns) {
        const kind = column.kinds[row]!;
        if (kind === ABSENT) continue;
        const other = byKey.get(column.key);
        if (other?.kinds[own] !== kind) return false;
        const isSame =
          kind === TEXT ? other.texts[own] === column.texts[row] : other.numbers[own] === column.numbers[row];
        if (!isSame) return false;
        cells--;
      }
      return cells === 0;
    },
    found: (place) => void (mask[order[place]!] = 1),
  };
}

function ofRecords(records: readonly StoredRecord[], mask: Uint8Array): Wanted {
  const order = inOrder(records.length, (row) => records[row]!.timestamp);
  const at = (place: number) => records[order[place]!]!;
  return {
    size: records.length,
    time: (place) => at(place).timestamp,
    hash(place) {
      const { keys, values } = at(place);
      return keys.reduce((hash, key, i) => (hash + mixValue(hashOfText(key), values[i]!)) | 0, 0);
    },
    equals(place, slice, row) {
      const { keys, values } = at(place);
      const held = slice.record(row);
      const own = new Map(keys.map((key, i) => [key, values[i]]));
      return held.keys.length === own.size && held.keys.every((key, i) => own.get(key) === held.values[i]);
    },
    found: (place) => void (mask[order[place]!] = 1),
  };
}

function hashOf(slice: RowSlice, row: number): number {
  let hash = 0;
  for (const { key, kinds, numbers, texts } of slice.columns) {
    const kind = kinds[row]!;
    if (kind !== ABSENT) hash = (hash + mix(hashOfText(key), kind, numbers[row]!, texts[row])) | 0;
  }
  return hash;
}

function mixValue(key: number, value: Value): number {
  if (typeof value === 'string') return mix(key, TEXT, 0, value);
  return mix(key, typeof value === 'number' ? 1 : 2, Number(value), undefined);
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);

/** Cells are added up, so that the order of the keys does not matter. */
function mix(key: number, kind: number, number: number, text: string | undefined): number {
  let hash = Math.imul(key ^ kind, 0x9e3779b1);
  if (kind === TEXT) hash ^= hashOfText(text ?? '');
  else {
    // -0 is 0, as it is for the id of a record.
    double[0] = number + 0;
    hash = Math.imul(hash ^ words[0]!, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15) ^ words[1]!, 0xc2b2ae35);
  }
  return hash ^ (hash >>> 13);
}

const hashes = new Map<string, number>();
const MOST_HASHES = 8192;

/** FNV-1a; those of short texts, as keys are, are remembered. */
function hashOfText(text: string): number {
  const known = hashes.get(text);
  if (known !== undefined) return known;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  if (text.length <= 128) {
    if (hashes.size >= MOST_HASHES) hashes.clear();
    hashes.set(text, hash);
  }
  return hash;
}
