import type { Micros } from '#shared/time.ts';
import { keepDamaged } from '../segment/damaged.ts';
import { DeviceFolder } from './device-folder.ts';
import type { Manifest } from '../segment/manifest.ts';
import { Segment } from '../segment/segment.ts';
import type { SegmentMeta, SegmentOrigin } from '../segment/segment-writer.ts';
import type { Common } from './common.ts';
import type { Output, Part } from '../segment/sorted-writer.ts';

/** What is special about new segments; a flush says how far it goes, a merge or a rewrite what it replaces. */
export interface OriginOf {
  readonly flushed?: number;
  readonly age?: number;
  readonly replaces?: readonly number[];
  /** Gives up when the store closes. */
  readonly mayStop?: boolean;
}

/** What the manifest says of a device beside its segments. */
export interface LastContact {
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
}

/** What of a device is in segments, and the manifest that says so. Changed by one piece of work at a time. */
export class DeviceSegments {
  readonly folder: DeviceFolder;
  /** In order of arrival. */
  all: readonly Segment[] = [];
  /** Entries of the write-ahead log up to this one are in segments, or purged. */
  flushed = 0;
  /** Goes up when all records go: work that began before is void. */
  generation = 0;
  #next = 1;
  #missing: ReadonlySet<number> = new Set();
  /** Segments that are being written. */
  #writing: Promise<unknown> = Promise.resolve();
  readonly #common: Common;
  readonly #contact: () => LastContact;

  constructor(common: Common, id: string, contact: () => LastContact) {
    this.#common = common;
    this.#contact = contact;
    this.folder = new DeviceFolder(common, id);
  }

  /** Reads the manifest; no file of records is opened. */
  async load(): Promise<LastContact> {
    const { manifest, missing } = await this.folder.load();
    this.#missing = missing;
    this.all = manifest.segments.map((meta) => this.#segment(meta));
    this.flushed = manifest.flushed;
    this.#next = manifest.next;
    return manifest;
  }

  /** Leaves out what the manifest names but the folder lacks; returns it. */
  leaveOutMissing(): readonly SegmentMeta[] {
    const missing = this.all.flatMap(({ meta }) => (this.#missing.has(meta.id) ? [meta] : []));
    if (missing.length > 0) this.all = this.all.filter(({ meta }) => !this.#missing.has(meta.id));
    this.#missing = new Set();
    return missing;
  }

  get rows(): number {
    return this.all.reduce((rows, segment) => rows + segment.rows, 0);
  }

  /** On disk, the manifest's included. */
  get bytes(): number {
    return this.all.reduce((bytes, { meta }) => bytes + meta.bytes, this.folder.manifestBytes);
  }

  /** At least as many distinct keys as there are; null where a manifest of an older version does not tell. */
  get mostKeys(): number | null {
    return this.all.reduce<number | null>(
      (sum, { meta }) => (sum === null || meta.keys === undefined ? null : sum + meta.keys),
      0,
    );
  }

  get newest(): Micros {
    return this.all.reduce((newest, segment) => Math.max(newest, segment.last), -Infinity);
  }

  /** Forgets all of them, since entry `sequence` of the write-ahead log purged them; returns them, to be freed. */
  forget(sequence: number): readonly Segment[] {
    const gone = this.all;
    this.generation++;
    this.all = [];
    this.flushed = sequence;
    return gone;
  }

  /** Resolves when nothing is being written that began before. */
  async written(): Promise<void> {
    await this.#writing;
  }

  /** Writes parts, in order of arrival, to new segments that belong to nobody yet. */
  write(parts: readonly Part[], about: OriginOf): Promise<SegmentMeta[]> {
    const { generation } = this;
    const output: Output = {
      files: this.#common.files,
      folder: this.folder.path,
      segmentRows: this.#common.limits.segmentRows,
      origin: () => this.newOrigin(about),
      abandoned: () => this.generation !== generation || (about.mayStop === true && this.#common.isClosing()),
    };
    const made = this.#common.rewrite(parts, output);
    this.#writing = Promise.allSettled([this.#writing, made]);
    return made;
  }

  newOrigin(about: OriginOf = {}): SegmentOrigin {
    const id = this.#next++;
    return {
      id,
      age: about.age ?? id,
      flushed: about.flushed ?? this.flushed,
      replaces: about.replaces ?? [],
      seen: this.#contact().lastSeen,
    };
  }

  /**
   * Puts new segments in the place of old ones, for good and then, with `visible`, at once. False, and without effect
   * but on the disk, when everything was purged since `generation`.
   */
  async replace(
    made: readonly SegmentMeta[],
    replaced: readonly Segment[],
    { flushed, generation }: { readonly flushed: number; readonly generation: number },
    visible: () => void,
  ): Promise<boolean> {
    const kept = this.all.filter((segment) => !replaced.includes(segment));
    const added = made.map((meta) => this.#segment(meta));
    const segments = [...kept, ...added].toSorted((a, b) => a.meta.age - b.meta.age || a.meta.id - b.meta.id);
    const current = () => this.generation === generation;
    if (current()) await this.folder.write(this.#manifest(segments, Math.max(flushed, this.flushed)));
    if (!current()) return false;
    this.all = segments;
    this.flushed = Math.max(flushed, this.flushed);
    visible();
    for (const segment of replaced) {
      await keepDamaged(this.#common.files, this.folder.path, segment);
      await segment.free();
    }
    if (replaced.length > 0) await this.folder.confirm();
    return true;
  }

  /** Makes room for files of the device. */
  prepare(): Promise<void> {
    return this.folder.prepare(this.#manifest(this.all, this.flushed));
  }

  /** Writes the manifest as things are. */
  save(): Promise<void> {
    return this.folder.write(this.#manifest(this.all, this.flushed));
  }

  #manifest(segments: readonly Segment[], flushed: number): Manifest {
    return {
      flushed,
      lastSeen: this.#contact().lastSeen,
      purgedAt: this.#contact().purgedAt,
      next: this.#next,
      segments: segments.map(({ meta }) => meta),
    };
  }

  #segment(meta: SegmentMeta): Segment {
    return new Segment(this.#common.pool, this.folder.segmentPath(meta.id), meta);
  }
}
