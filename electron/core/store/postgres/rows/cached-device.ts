import type { Micros } from '#shared/values/time.ts';
import { Block } from '../../blocks/block/block.ts';
import { readBlocks, readRows } from '../../blocks/block/record-bytes.ts';
import { allocate, ByteReader } from '../../blocks/codec/bytes.ts';
import { Memtable } from '../../blocks/query/memtable.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import type { Readable } from '../../blocks/readable.ts';
import type { DatabaseRow } from '../connection/connections.ts';
import { NO_HEAD, type Head } from './head.ts';
import type { StoredSegment } from './segment.ts';
import { SuppliedSegment, type Supply } from './supplied-segment.ts';

/** Kinds of entries of the tail. */
export const ROWS = 1;
export const BLOCKS = 2;

/** Adds what an entry of the tail brought. */
export function addEntry(memtable: Memtable, row: DatabaseRow): void {
  const bytes = row['entry'] as Buffer;
  const copy = allocate(bytes.length);
  copy.set(bytes);
  const reader = new ByteReader(copy);
  if (row['kind'] === ROWS) memtable.add(readRows(reader));
  else memtable.addBlocks(readBlocks(reader).map((block) => new Block(block)));
}

/** The newest time of segments: rows before it are late. */
function newestOf(segments: readonly { readonly last: Micros }[]): Micros {
  return segments.reduce((newest, { last }) => Math.max(newest, last), -Infinity);
}

/** Cache entry of a device, as of the last look at it. Its blocks are elsewhere (reading.ts). */
export class CachedDevice {
  /** Of the database, as it was read in. */
  readonly history: number;
  #head: Head = NO_HEAD;
  #segments: readonly StoredSegment[] = [];
  #memtable = new Memtable(-Infinity);
  /** The last entry of the tail that it has. */
  #seen = 0;
  /** Version: another object after every change. */
  #moment = {};

  constructor(history: number) {
    this.history = history;
  }

  get head(): Head {
    return this.#head;
  }

  get segments(): readonly StoredSegment[] {
    return this.#segments;
  }

  get seen(): number {
    return this.#seen;
  }

  /** Memory that it takes, about. */
  get weight(): number {
    return this.#segments.reduce((sum, { weight }) => sum + weight, 1000 + this.#memtable.weight);
  }

  /** Whether what lies in segments is what a head says. */
  isOf({ epoch, version }: Head): boolean {
    return this.#head.epoch === epoch && this.#head.version === version;
  }

  /** Whether it has more recent segments than a head says. */
  isAfter({ epoch, version }: Head): boolean {
    return this.#head.epoch === epoch && this.#head.version > version;
  }

  /**
   * Replaces all of it, unless it has something newer by now: answers may arrive out of order, and of one version the tail only
   * grows.
   */
  replace(head: Head, segments: readonly StoredSegment[], tail: readonly DatabaseRow[]): void {
    const isSame = this.isOf(head);
    if (this.isAfter(head)) return;
    if (!isSame || head.nextSeq >= this.#head.nextSeq) this.#head = head;
    if (isSame && ((tail.at(-1)?.['seq'] ?? 0) as number) <= this.#seen) return;
    if (!isSame) this.#segments = segments.toSorted((a, b) => a.age - b.age || a.id - b.id);
    this.#memtable = new Memtable(newestOf(this.#segments));
    this.#seen = 0;
    this.#take(tail);
  }

  /** Takes what came to the tail since it was asked for; `head`, and the tail that was asked, are of the same segments. */
  extend(head: Head, tail: readonly DatabaseRow[]): void {
    if (head.nextSeq >= this.#head.nextSeq) this.#head = head;
    this.#take(tail);
  }

  #take(tail: readonly DatabaseRow[]): void {
    for (const row of tail) {
      const seq = row['seq'] as number;
      if (seq <= this.#seen) continue;
      addEntry(this.#memtable, row);
      this.#seen = seq;
    }
    this.#moment = {};
  }

  /** The device for a read that loads blocks on demand from `supply`. */
  suppliedBy(supply: Supply): Readable {
    let made: { readonly moment: object; readonly timeline: Timeline } | null = null;
    return {
      ...this.#facts(),
      get isSettled() {
        return !supply.isLacking;
      },
      timeline: () => {
        if (made?.moment !== this.#moment)
          made = { moment: this.#moment, timeline: new Timeline(this.#sources(supply, false)) };
        return made.timeline;
      },
      sources: () => this.#sources(supply, false),
      snapshot: () => this.frozen(supply).snapshot(),
      ...UNDAMAGED,
    };
  }

  /** Snapshot of the same. */
  frozen(supply: Supply): Readable {
    const sources = this.#sources(supply, true);
    const timeline = new Timeline(sources);
    return {
      ...this.#facts(),
      get isSettled() {
        return !supply.isLacking;
      },
      timeline: () => timeline,
      sources: () => sources,
      snapshot: () => ({ sources, timeline, release: () => Promise.resolve() }),
      ...UNDAMAGED,
    };
  }

  #facts(): Pick<Readable, 'lastSeen' | 'purgedAt' | 'bytes'> {
    const { lastSeen, purgedAt, bytes } = this.#head;
    return { lastSeen, purgedAt, bytes };
  }

  #sources(supply: Supply, lasting: boolean): SortedRows[] {
    const segments = this.#segments.map((segment) => new SuppliedSegment(segment, supply));
    return [...segments, ...this.#memtable.sources(lasting)];
  }
}

/** A database that has damaged blocks leaves none of them out. */
const UNDAMAGED: Pick<Readable, 'read' | 'retrying' | 'failure'> = {
  read: (read) => read(),
  retrying: (work) => work(),
  failure: (error) => (error instanceof Error ? error : new Error(String(error))),
};
