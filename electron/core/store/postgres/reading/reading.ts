import { StoreError } from '../../../base/errors.ts';
import { Block, isBlock } from '../../blocks/block/block.ts';
import { allocateShared } from '../../blocks/codec/bytes.ts';
import type { KeySummary } from '../../store.ts';
import type { Asker } from '../connection/connections.ts';
import type { HistoryLru } from '../connection/history-lru.ts';
import { keyBytes, keyOf } from '../rows/key-bytes.ts';
import type { Place } from '../rows/place.ts';
import { inRounds, type Rounds, type WantedBlock } from './rounds.ts';
import type { StoredSegment } from '../rows/segment.ts';
import { SuppliedSegment, type Supply } from '../rows/supplied-segment.ts';

const BLOCKS_OF =
  'SELECT block_id, bytes FROM block WHERE lane = $1 AND device_id = $2 AND block_id = ANY($3::bigint[])';
const KEYS_OF =
  'SELECT segment_id, key, summary FROM segment_key WHERE lane = $1 AND device_id = $2 AND segment_id = ANY($3::bigint[]) AND key = ANY($4::bytea[])';
const COUNTS_OF =
  'SELECT segment_id, key, cells, numeric_cells FROM segment_key WHERE lane = $1 AND device_id = $2 AND segment_id = ANY($3::bigint[])';
/** Blocks that one question asks for: about 4 MB. */
const MOST_BLOCKS = 1024;

/** Blocks of all devices that were read last: they never change. */
export type BlockCache = Pick<HistoryLru<string, Block>, 'get' | 'set'>;

/** Missing block, or one of another history: the cache entry of its device is outdated. */
export class BlocksGone extends Error {
  override readonly name = 'BlocksGone';
}

/** Returns what a reader is told that has handed out rows, and cannot begin anew. */
export const goneWhileReading = (): StoreError =>
  new StoreError('io', 'Records were removed while they were read. Read again to get those that are left.');

/**
 * One read of a device by demand-driven loading: the synchronous reader of store/blocks runs over the blocks in memory, and
 * again once the missing ones were fetched, all in one question. They are held until the read is over, however little the
 * cache has room for.
 */
export class Reading implements Supply, Rounds {
  readonly #asker: Asker;
  readonly #cache: BlockCache;
  readonly #place: Place;
  readonly #epoch: number;
  readonly #history: number | undefined;
  #held = new Map<number, Block>();
  readonly #blocks = new Set<number>();
  readonly #keys = new Map<StoredSegment, Set<string>>();
  readonly #counts = new Set<StoredSegment>();

  /** `history`: that of the segments that it is of; absent in a transaction. */
  constructor(asker: Asker, cache: BlockCache, place: Place, epoch: number, history?: number) {
    this.#asker = asker;
    this.#cache = cache;
    this.#place = place;
    this.#epoch = epoch;
    this.#history = history;
  }

  /** A segment as this read has it. */
  of(segment: StoredSegment): SuppliedSegment {
    return new SuppliedSegment(segment, this);
  }

  block(id: number): Block | null {
    const held = this.#held.get(id) ?? this.#cache.get(this.#nameOf(id));
    if (held) this.#held.set(id, held);
    else this.#blocks.add(id);
    return held ?? null;
  }

  lacksKey(segment: StoredSegment, key: string): void {
    const keys = this.#keys.get(segment);
    if (keys) keys.add(key);
    else this.#keys.set(segment, new Set([key]));
  }

  lacksCounts(segment: StoredSegment): void {
    this.#counts.add(segment);
  }

  run<T>(read: () => T): Promise<Awaited<T>> {
    return inRounds([this], read);
  }

  now<T>(read: () => T): T {
    const result = read();
    if (this.isLacking) throw new TypeError('a block was not read before it was needed');
    return result;
  }

  async ahead(wanted: readonly WantedBlock[], more: number): Promise<void> {
    const lacking = wanted.filter(({ segment, index }) => this.block(segment.table.offsetOf(index)) === null);
    if (lacking.length === 0) return;
    const held = new Map<number, Block>();
    for (const { segment, index } of wanted) {
      const block = this.block(segment.table.offsetOf(index));
      if (block) held.set(segment.table.offsetOf(index), block);
    }
    this.#held = held;
    for (const {
      segment: { table },
      index,
    } of lacking)
      for (let next = index; next < Math.min(table.count, index + more); next++)
        this.block(table.offsetOf(next));
    await this.fetch();
  }

  letGo(): void {
    this.#held.clear();
  }

  /** Asks for these blocks where they are not here. */
  async want(ids: Iterable<number>): Promise<void> {
    for (const id of ids) this.block(id);
    await this.fetch();
  }

  get isLacking(): boolean {
    return this.#blocks.size + this.#keys.size + this.#counts.size > 0;
  }

  async fetch(): Promise<void> {
    const { lane, device } = this.#place;
    const ids = [...this.#blocks];
    const [keys, counts] = [new Map(this.#keys), [...this.#counts]];
    const names = [...new Set([...keys.values()].flatMap((each) => [...each]))];
    const asked = [];
    for (let from = 0; from < ids.length; from += MOST_BLOCKS)
      asked.push({ sql: BLOCKS_OF, params: [lane, device, ids.slice(from, from + MOST_BLOCKS)] });
    const blockAnswers = asked.length;
    if (names.length > 0)
      asked.push({ sql: KEYS_OF, params: [lane, device, segmentIds(keys.keys()), names.map(keyBytes)] });
    if (counts.length > 0) asked.push({ sql: COUNTS_OF, params: [lane, device, segmentIds(counts)] });
    if (asked.length === 0) return;
    const answers = await this.#asker.askAll(asked);
    if (this.#asker.history !== this.#history) throw new BlocksGone('the database went back in time');
    for (const rows of answers.slice(0, blockAnswers))
      for (const row of rows) this.#keep(row['block_id'] as number, row['bytes'] as Buffer);
    if (this.#blocks.size > 0) throw new BlocksGone('blocks of a device are gone');
    const more = answers.slice(blockAnswers);
    if (names.length > 0) this.#knowKeys(keys, names, more.shift() ?? []);
    if (counts.length > 0) this.#knowCounts(counts, more.shift() ?? []);
  }

  #keep(id: number, bytes: Buffer): void {
    const copy = allocateShared(bytes.length);
    copy.set(bytes);
    if (!isBlock(copy))
      throw new StoreError(
        'damaged',
        'Some stored records turned out to be damaged in the database. Restore it from a backup, or from its standby.',
      );
    const block = new Block(copy);
    this.#held.set(id, block);
    this.#cache.set(this.#nameOf(id), block, copy.length + 200);
    this.#blocks.delete(id);
  }

  #knowKeys(
    lacking: ReadonlyMap<StoredSegment, ReadonlySet<string>>,
    names: readonly string[],
    rows: readonly Record<string, unknown>[],
  ): void {
    const found = new Map(
      rows.map((row) => [
        `${row['segment_id'] as number} ${keyOf(row['key'] as Buffer)}`,
        row['summary'] as Buffer,
      ]),
    );
    for (const segment of lacking.keys()) {
      for (const name of names) segment.knowKey(name, found.get(`${segment.id} ${name}`) ?? null);
      this.#keys.delete(segment);
    }
  }

  #knowCounts(lacking: readonly StoredSegment[], rows: readonly Record<string, unknown>[]): void {
    const found = new Map<number, KeySummary[]>(lacking.map(({ id }) => [id, []]));
    for (const row of rows)
      found.get(row['segment_id'] as number)?.push({
        key: keyOf(row['key'] as Buffer),
        count: row['cells'] as number,
        numeric: row['numeric_cells'] as number,
      });
    for (const segment of lacking) {
      segment.counts = found.get(segment.id) ?? [];
      this.#counts.delete(segment);
    }
  }

  #nameOf(id: number): string {
    return `${this.#place.device} ${this.#epoch} ${id}`;
  }
}

const segmentIds = (segments: Iterable<StoredSegment>) => Array.from(segments, ({ id }) => id);
