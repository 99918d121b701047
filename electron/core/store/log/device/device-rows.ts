import type { Micros } from '#shared/values/time.ts';
import type { StoreError } from '../../../base/errors.ts';
import type { LatestValue } from '../../store.ts';
import { LastValues } from '../../blocks/last-values.ts';
import type { Readable } from '../../blocks/readable.ts';
import { readKeysNow } from '../../blocks/summary-reads.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import type { Segment } from '../segment/segment.ts';
import type { SegmentMeta, SegmentOrigin } from '../segment/segment-writer.ts';
import type { Part } from '../segment/sorted-writer.ts';
import { Serial } from '../../../turns/serial.ts';
import { AroundDamage } from './around-damage.ts';
import type { Common } from './common.ts';
import type { DeviceFolder } from './device-folder.ts';
import { DeviceKeys } from './device-keys.ts';
import { DeviceSegments, type Exchange } from './device-segments.ts';
import type { KeptSegments } from '../segment/kept-segments.ts';
import type { OriginOf } from '../segment/new-segments.ts';
import { FolderLifecycle } from './folder-lifecycle.ts';
import { Unsaved } from './unsaved.ts';

/**
 * Rows of one device: segments, a memtable being flushed, and the present one. Reads leave out damaged blocks; merges
 * replace segments. All changes of files run one after the other in `work`.
 */
export abstract class DeviceRows implements Readable {
  readonly id: string;
  readonly common: Common;
  readonly work = new Serial();
  /**
   * When something last came from the device itself: what came through the write-ahead log. An import does not, so it
   * is a state of its own, which no file of records tells.
   */
  lastSeen: Micros | null = null;
  readonly isSettled = true;
  purgedAt: Micros | null = null;
  readonly lifecycle: FolderLifecycle;
  #revision: number;
  readonly keys = new DeviceKeys({
    most: () => this.kept.mostKeys,
    unsaved: () => this.unsaved.keys(),
    all: () => readKeysNow(this),
  });
  protected readonly kept: DeviceSegments;
  protected readonly unsaved = new Unsaved();
  readonly #aroundDamage = new AroundDamage(
    (run) => this.folder.has(run),
    (says) => {
      if (says !== null) this.#noteDamage(says);
      this.keys.changed();
      this.changed();
    },
  );
  #timeline: Timeline | null = null;
  readonly #lastValues = new LastValues(this);

  constructor(common: Common, id: string) {
    this.common = common;
    this.id = id;
    this.#revision = common.newRevision();
    this.kept = new DeviceSegments(common, id, () => this);
    const { work } = this;
    this.lifecycle = new FolderLifecycle({ common, kept: this.kept, work, rows: () => this.rows });
  }

  /** Says which segments the manifest names but the folder lacks, once no purge that removed them can still be found. */
  settle(): void {
    for (const { rows } of this.kept.leaveOutMissing())
      this.#noteDamage((device) => `A file of ${rows} records of ${device} is missing.`);
    this.changed();
  }

  get folder(): DeviceFolder {
    return this.kept.folder;
  }

  /** Whether there are files that its manifest does not name: they may hold what was deleted. */
  get leavesFiles(): boolean {
    return this.folder.unnamed.any;
  }

  /** In order of arrival. */
  get segments(): readonly Segment[] {
    return this.kept.all;
  }

  /** Trash: soft-deleted segments, oldest first. */
  get bin(): readonly KeptSegments[] {
    return this.kept.bin;
  }

  /** When its segments arrived, among those that there are. */
  get keptAges(): readonly number[] {
    return this.bin.flatMap(({ segments }) => segments.map(({ meta }) => meta.age));
  }

  /** Goes up when all records go: work that began before is void. */
  get generation(): number {
    return this.kept.generation;
  }

  /** Changes with every call of `revised`, and when a log is read again. */
  get revision(): number {
    return this.#revision;
  }

  /** A batch was committed, or records were removed or put back. */
  revised(): void {
    this.#revision = this.common.newRevision();
  }

  get newest(): Micros {
    return this.unsaved.newest;
  }

  get rows(): number {
    return this.kept.rows + this.unsaved.rows;
  }

  /** Of `rows`, those that are in no segment yet. */
  get unsavedRows(): number {
    return this.unsaved.rows;
  }

  get bytes(): number {
    return this.kept.bytes + this.unsaved.weight;
  }

  /** Whether nothing that was stored is left, not even a damaged piece of it. */
  async isEmpty(): Promise<boolean> {
    return this.rows === 0 && (await this.folder.isBare());
  }

  /** Every source in order of arrival. `lasting` ones stay as they are while more rows arrive. */
  sources(lasting = false): SortedRows[] {
    return [...this.segments, ...this.unsaved.sources(lasting)];
  }

  timeline(): Timeline {
    return (this.#timeline ??= new Timeline(this.sources()));
  }

  /** Sources came, went or changed: the next read puts them in order of time anew. */
  protected changed(): void {
    this.#timeline = null;
    this.#lastValues.changed();
  }

  /** The last values of these keys, or of those of the newest records: lists ask for the same again and again. */
  latest(keys: readonly string[] | null): readonly LatestValue[] {
    return this.#lastValues.of(keys);
  }

  /** Returns a snapshot for a slow reader. `release` frees its files. */
  snapshot(): { sources: SortedRows[]; timeline: Timeline; release: () => Promise<void> } {
    const { segments } = this;
    for (const segment of segments) segment.use();
    const sources = this.sources(true);
    return {
      sources,
      timeline: new Timeline(sources),
      release: () => this.free(segments),
    };
  }

  /** Everything as it is now; segments, kept ones too, stay on disk until `release`. */
  hold(): { readonly unsaved: readonly SortedRows[]; readonly release: () => Promise<void> } {
    const segments = [...this.segments, ...this.bin.flatMap((each) => each.segments)];
    for (const segment of segments) segment.use();
    return { unsaved: this.unsaved.sources(true), release: () => this.free(segments) };
  }

  read<T>(read: () => T): T {
    return this.#aroundDamage.read(read);
  }

  retrying<T>(work: () => Promise<T>): Promise<T> {
    return this.#aroundDamage.retrying(work);
  }

  failure(error: unknown): StoreError {
    return this.#aroundDamage.failure(error);
  }

  setAside(error: unknown): boolean {
    return this.#aroundDamage.setAside(error);
  }

  /** Writes parts, in order of arrival, to new segments that no manifest names yet. */
  write(parts: readonly Part[], about: OriginOf): Promise<SegmentMeta[]> {
    return this.kept.made.write(parts, about);
  }

  newOrigin(): SegmentOrigin {
    return this.kept.made.origin();
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
    const done = await this.kept.replace(made, replaced, { flushed, generation }, () => this.#came(made));
    return this.#orPurged(done);
  }

  /**
   * Makes a change of what counts, at once and for good; `visible` is called at that moment. False, and without effect, when
   * everything was purged since `generation`.
   */
  async exchange(what: Exchange, generation: number, visible = () => {}): Promise<boolean> {
    const { made = [], kept = null, back = null } = what;
    const done = await this.kept.exchange(what, generation, (purgedAt) => {
      this.purgedAt = purgedAt;
      this.#came([...made, ...(back?.segments.map(({ meta }) => meta) ?? [])]);
      if (kept !== null) this.#keeps();
      this.revised();
      visible();
    });
    return this.#orPurged(done);
  }

  #came(segments: readonly SegmentMeta[]): void {
    if (segments.length > 0) this.lifecycle.isDropped = false;
    this.unsaved.written(segments.reduce((newest, { last }) => Math.max(newest, last), -Infinity));
    this.changed();
  }

  #keeps(): void {
    this.lifecycle.isDropped = false;
    this.resetNewest();
  }

  async #orPurged(done: boolean): Promise<boolean> {
    if (!done) await this.lifecycle.persist(true);
    return done;
  }

  /** After rows in the middle went: whether a row is late depends on the newest one left. */
  resetNewest(): void {
    this.keys.changed();
    this.unsaved.comesAfter(this.kept.newest);
  }

  /** Removes segments that no manifest names, for work that has no turn of its own. */
  discard(made: readonly SegmentMeta[]): Promise<void> {
    return this.work.run(() => this.folder.discard(made));
  }

  /** Ends one use of each segment. Where a file goes with it, that is confirmed when it is the device's turn. */
  async free(segments: readonly Segment[]): Promise<void> {
    if (await this.folder.unnamed.free(segments))
      this.common.background(this.work.run(() => this.folder.confirm()));
  }

  /** Removes replaced segments, also those still being read: the store closes. */
  endReads(): Promise<void> {
    return this.work.run(() => this.folder.endReads());
  }

  async close(): Promise<void> {
    await this.work.idle();
    for (const segment of this.segments) segment.close();
  }

  #noteDamage(says: (device: string) => string): void {
    this.common.note({ device: this.id, kind: 'damaged', message: says(`device ${this.id}`) });
  }
}
