import type { Micros } from '#shared/time.ts';
import type { StoredRecord } from '../store.ts';
import type { Block } from './block.ts';
import { DamagedBlock, DamagedIndex } from './failures.ts';
import { keepDamaged, removeDamaged } from './damaged.ts';
import { DeviceFolder } from './device-folder.ts';
import type { Manifest } from './manifest.ts';
import { Memtable } from './memtable.ts';
import { chooseSegments, mergeSegments } from './merge.ts';
import { Segment } from './segment.ts';
import type { SegmentMeta, SegmentOrigin } from './segment-writer.ts';
import { Serial } from './serial.ts';
import type { Shared } from './shared.ts';
import type { Source } from './source.ts';
import { Abandoned, wholeParts, writeSorted, type Output, type Part } from './sorted-writer.ts';
import { Timeline } from './timeline.ts';

/** What is special about new segments; a flush says how far it goes, a merge or a rewrite what it replaces. */
interface OriginOf {
  readonly flushed?: number;
  readonly age?: number;
  readonly replaces?: readonly number[];
  /** Gives up when the store closes. */
  readonly mayStop?: boolean;
}

/**
 * One device: segments, what is being written to a segment, and what arrived since. Changes become visible in the order
 * of the write-ahead log; everything that changes files runs one after the other in `work`.
 */
export class DeviceLog {
  readonly id: string;
  readonly folder: DeviceFolder;
  readonly shared: Shared;
  readonly work = new Serial();
  /** In order of arrival. */
  segments: Segment[] = [];
  lastSeen: Micros | null = null;
  purgedAt: Micros | null = null;
  /** Goes up when all records go: work that began before is void. */
  generation = 0;
  /** How often the device was removed. */
  drops = 0;
  #memtable = new Memtable(-Infinity);
  #flushing: Memtable | null = null;
  /** The last entry of the write-ahead log that this device has seen. */
  #applied = 0;
  /** Entries up to this one are in segments, or purged. */
  #flushed = 0;
  #nextSegment = 1;
  #dropped = false;
  #timeline: Timeline | null = null;
  #merging = false;
  #missing: ReadonlySet<number> = new Set();

  constructor(shared: Shared, id: string) {
    this.shared = shared;
    this.id = id;
    this.folder = new DeviceFolder(shared, id);
  }

  /** Reads the manifest; no file of records is opened. */
  async load(): Promise<void> {
    const { manifest, missing } = await this.folder.load();
    this.#missing = missing;
    this.segments = manifest.segments.map((meta) => this.#segment(meta));
    this.lastSeen = manifest.lastSeen;
    this.purgedAt = manifest.purgedAt;
    this.#applied = this.#flushed = manifest.flushed;
    this.#nextSegment = manifest.next;
    this.#memtable = new Memtable(this.#newestInSegments());
  }

  /** Says which segments the manifest names but the folder lacks, once no purge that removed them can still be found. */
  settle(): void {
    if (this.#missing.size === 0) return;
    for (const { meta } of this.segments)
      if (this.#missing.has(meta.id)) this.#noteDamage(`A file of ${meta.rows} records`, 'is missing');
    this.segments = this.segments.filter(({ meta }) => !this.#missing.has(meta.id));
    this.#missing = new Set();
    this.#timeline = null;
  }

  /** The last log entry that the manifest on disk covers. */
  get persisted(): number {
    return this.folder.persisted;
  }

  get newest(): Micros {
    return this.#memtable.newest;
  }

  get rows(): number {
    const inSegments = this.segments.reduce((rows, segment) => rows + segment.rows, 0);
    return inSegments + (this.#flushing?.rows ?? 0) + this.#memtable.rows;
  }

  get bytes(): number {
    const inSegments = this.segments.reduce(
      (bytes, { meta }) => bytes + meta.bytes,
      this.folder.manifestBytes,
    );
    return inSegments + (this.#flushing?.weight ?? 0) + this.#memtable.weight;
  }

  /** Whether the write-ahead log holds something that segments and manifest do not. */
  get isDirty(): boolean {
    return this.#memtable.rows > 0 || this.persisted < this.#flushed;
  }

  get exists(): boolean {
    return !this.#dropped && (this.folder.exists || this.lastSeen !== null || this.purgedAt !== null);
  }

  get wantsFlush(): boolean {
    return this.#memtable.lateRuns >= this.shared.limits.lateRuns;
  }

  /** Whether an entry of the log is not yet in what was loaded. */
  isNew(sequence: number): boolean {
    return sequence > this.#applied;
  }

  applyRows(sequence: number, records: readonly StoredRecord[]): void {
    this.#memtable.add(records);
    this.#saw(sequence);
  }

  applyBlocks(sequence: number, blocks: readonly Block[]): void {
    this.#memtable.addBlocks(blocks);
    this.#saw(sequence);
  }

  /** Forgets every record; `at` null forgets the device too. Answers how many records went. */
  applyPurge(sequence: number, at: Micros | null): number {
    const gone = this.rows;
    const { segments } = this;
    this.generation++;
    this.segments = [];
    this.#flushing = null;
    this.#memtable = new Memtable(-Infinity);
    this.#applied = this.#flushed = sequence;
    this.#timeline = null;
    this.purgedAt = at;
    this.#dropped = at === null;
    if (this.#dropped) {
      this.lastSeen = null;
      this.drops++;
    }
    const finish = async () => {
      for (const segment of segments) await segment.free();
      if (this.folder.exists) await removeDamaged(this.shared.files, this.folder.path);
      await this.#persist();
    };
    this.shared.background(this.work.run(finish));
    return gone;
  }

  /** Every source in order of arrival. `lasting` ones stay as they are while more rows arrive. */
  sources(lasting = false): Source[] {
    return [
      ...this.segments,
      ...(this.#flushing?.sources(lasting) ?? []),
      ...this.#memtable.sources(lasting),
    ];
  }

  timeline(): Timeline {
    return (this.#timeline ??= new Timeline(this.sources()));
  }

  /** What there is now, for a reader that takes its time. `release` lets go of its files. */
  snapshot(): { timeline: Timeline; release: () => Promise<void> } {
    const { segments } = this;
    for (const segment of segments) segment.use();
    const timeline = new Timeline(this.sources(true));
    return {
      timeline,
      release: async () => {
        for (const segment of segments) await segment.free();
      },
    };
  }

  /** Reads; a damaged block is set aside, said so, and the rest is read. */
  read<T>(read: () => T): T {
    for (;;) {
      try {
        return read();
      } catch (error) {
        if (!this.setAside(error)) throw error;
      }
    }
  }

  /** The same for work on files, which begins anew. */
  async retrying<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!this.setAside(error)) throw error;
      }
    }
  }

  /** Leaves out what a read found to be damaged; false when the error is of another kind. */
  setAside(error: unknown): boolean {
    if (error instanceof DamagedBlock && error.run instanceof Segment) {
      if (!error.run.blocksSetAside.has(error.block))
        this.#noteDamage(
          `A block of ${error.run.setAside(error.block)} records`,
          'is damaged on the disk and was left out',
        );
    } else if (error instanceof DamagedIndex && error.run instanceof Segment) {
      const lost = error.run.rebuildIndex();
      this.#noteDamage(
        'The index of a file',
        lost === 0
          ? 'was damaged and has been rebuilt'
          : `was damaged and has been rebuilt; ${lost} records are lost`,
      );
    } else {
      return false;
    }
    this.#timeline = null;
    return true;
  }

  /** Moves what is in memory to segments, so that the write-ahead log no longer needs to hold it. */
  flush(): Promise<void> {
    return this.work.run(() => this.flushNow());
  }

  /** `flush` for work that already has its turn. */
  async flushNow(): Promise<void> {
    if (this.#memtable.rows === 0) return this.#persist();
    const memtable = this.#memtable;
    const { generation } = this;
    const flushed = this.#applied;
    this.#memtable = new Memtable(memtable.newest);
    this.#flushing = memtable;
    this.#timeline = null;
    try {
      await this.prepareFolder();
      const made: SegmentMeta[] = [];
      try {
        for (const layer of memtable.layers)
          for (const sources of [layer.liveSources(true), layer.lateSources(true)])
            if (sources.length > 0) made.push(...(await this.write(wholeParts(sources), { flushed })));
      } catch (error) {
        await this.folder.discard(made);
        throw error;
      }
      if (!(await this.commit(made, [], flushed, generation))) await this.folder.discard(made);
      this.#maintain();
    } catch (error) {
      if (error instanceof Abandoned) return;
      if (this.generation === generation) this.#takeBack(memtable);
      throw error;
    }
  }

  #maintain(): void {
    if (this.#merging || chooseSegments(this.segments, this.shared.limits.segmentRows) === null) return;
    this.#merging = true;
    const merged = this.shared.merging.run(() => mergeSegments(this)).finally(() => (this.#merging = false));
    this.shared.background(merged);
  }

  /** Writes parts, in order of arrival, to new segments that belong to nobody yet. */
  async write(parts: readonly Part[], about: OriginOf): Promise<SegmentMeta[]> {
    const { generation } = this;
    const output: Output = {
      files: this.shared.files,
      folder: this.folder.path,
      segmentRows: this.shared.limits.segmentRows,
      origin: () => this.newOrigin(about),
      abandoned: () => this.generation !== generation || (about.mayStop === true && this.shared.isClosing()),
    };
    return writeSorted(parts, output);
  }

  newOrigin(about: OriginOf = {}): SegmentOrigin {
    const id = this.#nextSegment++;
    return {
      id,
      age: about.age ?? id,
      flushed: about.flushed ?? this.#flushed,
      replaces: about.replaces ?? [],
    };
  }

  /**
   * Puts new segments in the place of old ones, at once and for good. False, and without effect, when everything was
   * purged since `generation`.
   */
  async commit(
    made: readonly SegmentMeta[],
    replaced: readonly Segment[],
    flushed: number,
    generation: number,
  ): Promise<boolean> {
    const kept = this.segments.filter((segment) => !replaced.includes(segment));
    const added = made.map((meta) => this.#segment(meta));
    const segments = [...kept, ...added].toSorted((a, b) => a.meta.age - b.meta.age || a.meta.id - b.meta.id);
    const current = () => this.generation === generation;
    if (current()) await this.folder.write(this.#manifest(segments, Math.max(flushed, this.#flushed)));
    if (!current()) {
      await this.#persist(true);
      return false;
    }
    this.segments = segments;
    for (const { received, last } of made) {
      this.lastSeen = Math.max(this.lastSeen ?? received, received);
      this.#memtable.newest = Math.max(this.#memtable.newest, last);
    }
    this.#flushing = null;
    this.#flushed = Math.max(flushed, this.#flushed);
    this.#timeline = null;
    for (const segment of replaced) {
      await keepDamaged(this.shared.files, this.folder.path, segment);
      await segment.free();
    }
    return true;
  }

  /** After rows in the middle went: whether a row is late depends on the newest one left. */
  resetNewest(): void {
    if (this.#memtable.rows === 0) this.#memtable = new Memtable(this.#newestInSegments());
  }

  /** Makes room for files of the device. */
  async prepareFolder(): Promise<void> {
    this.#dropped = false;
    await this.folder.prepare(this.#manifest([], this.#flushed));
  }

  async close(): Promise<void> {
    await this.work.idle();
    for (const segment of this.segments) segment.close();
  }

  #noteDamage(what: string, then: string): void {
    const message = `${what} of device ${this.id} ${then}.`;
    this.shared.note({ device: this.id, kind: 'damaged', message });
  }

  #saw(sequence: number): void {
    this.#applied = sequence;
    this.#dropped = false;
    this.#timeline = null;
    const { received } = this.#memtable;
    if (received > (this.lastSeen ?? -Infinity)) this.lastSeen = received;
  }

  #newestInSegments(): Micros {
    return this.segments.reduce((newest, segment) => Math.max(newest, segment.last), -Infinity);
  }

  /** A flush failed: what it was to write is in memory still, before what came since. */
  #takeBack(memtable: Memtable): void {
    this.#memtable.putBefore(memtable);
    this.#flushing = null;
    this.#timeline = null;
  }

  /** Brings the manifest up to a purge. */
  async #persist(always = false): Promise<void> {
    if (!always && this.persisted >= this.#flushed) return;
    if (this.#dropped && this.rows === 0) return this.folder.remove(this.#flushed);
    await this.prepareFolder();
    await this.folder.write(this.#manifest(this.segments, this.#flushed));
  }

  #manifest(segments: readonly Segment[], flushed: number): Manifest {
    const { lastSeen, purgedAt } = this;
    const latest = segments.reduce((seen, { received }) => Math.max(seen, received), lastSeen ?? -Infinity);
    return {
      flushed,
      lastSeen: latest === -Infinity ? null : latest,
      purgedAt,
      next: this.#nextSegment,
      segments: segments.map(({ meta }) => meta),
    };
  }

  #segment(meta: SegmentMeta): Segment {
    return new Segment(this.shared.pool, this.folder.segmentPath(meta.id), meta);
  }
}
