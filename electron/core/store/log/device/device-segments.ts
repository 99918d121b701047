import type { Micros } from '#shared/values/time.ts';
import { keepDamaged, removeDamaged } from '../segment/damaged.ts';
import { DeviceFolder } from './device-folder.ts';
import type { KeptManifest, Manifest } from '../segment/manifest.ts';
import { ownFiles } from './saved/lent-files.ts';
import { youngestOf, type SavedSegment, type SavedSegments } from './saved/saved-segments.ts';
import { inOrder, segmentsOf, type KeptSegments } from '../segment/kept-segments.ts';
import { NewSegments } from '../segment/new-segments.ts';
import type { Segment } from '../segment/segment.ts';
import type { SegmentMeta } from '../segment/segment-writer.ts';
import type { Common } from './common.ts';

/** Last contact with a device, as its manifest has it. */
export interface LastContact {
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
}

/** Next manifest; an absent field stays as it is. */
interface Next {
  readonly segments?: readonly Segment[];
  readonly bin?: readonly KeptSegments[];
  readonly flushed?: number;
  readonly purgedAt?: Micros | null;
}

/** Exchange of what counts for something else, as one manifest. */
export interface Exchange {
  /** New segments that count from then on. */
  readonly made?: readonly SegmentMeta[];
  /** Segments in whose place new ones come, which go. */
  readonly replaced?: readonly Segment[];
  /** Soft delete: `moved` of the segments as they are, and `removed`, which are new. */
  readonly kept?:
    | (Pick<KeptManifest, 'name' | 'purge'> & {
        readonly moved: readonly Segment[];
        readonly removed: readonly SegmentMeta[];
      })
    | null;
  /** Soft delete that is put back. */
  readonly back?: KeptSegments | null;
}

/** Segments of a device, and their manifest. Changed by one piece of work at a time. */
export class DeviceSegments {
  readonly folder: DeviceFolder;
  /** In order of arrival. */
  all: readonly Segment[] = [];
  /** Trash: soft-deleted segments, oldest first. */
  bin: readonly KeptSegments[] = [];
  /** Entries of the write-ahead log up to this one are in segments, or purged. */
  flushed = 0;
  /** Goes up when all records go: work that began before is void. */
  generation = 0;
  #missing: ReadonlySet<number> = new Set();
  /** New segments that no manifest names yet. */
  readonly made: NewSegments;
  readonly #common: Common;
  readonly #contact: () => LastContact;

  constructor(common: Common, id: string, contact: () => LastContact) {
    this.#common = common;
    this.#contact = contact;
    this.folder = new DeviceFolder(common, id);
    this.made = new NewSegments({
      files: common.files,
      segmentRows: common.limits.segmentRows,
      rewrite: common.rewrite,
      isClosing: () => common.isClosing(),
      folder: this.folder.path,
      unnamed: this.folder.unnamed,
      now: () => ({ flushed: this.flushed, seen: contact().lastSeen, generation: this.generation }),
    });
  }

  /** Reads the manifest; no file of records is opened. */
  async load(): Promise<LastContact> {
    const { manifest, missing } = await this.folder.load();
    this.#missing = missing;
    this.all = manifest.segments.map((meta) => this.folder.segment(meta));
    this.bin = manifest.kept.map((each) => ({
      ...each,
      segments: each.segments.map((meta) => this.folder.segment(meta)),
    }));
    this.flushed = manifest.flushed;
    this.made.next = manifest.next;
    return manifest;
  }

  /** Leaves out what the manifest names but the folder lacks; returns it. */
  leaveOutMissing(): readonly SegmentMeta[] {
    const missing = this.#named.flatMap(({ meta }) => (this.#missing.has(meta.id) ? [meta] : []));
    if (missing.length > 0) {
      const isThere = ({ meta }: Segment) => !this.#missing.has(meta.id);
      this.all = this.all.filter(isThere);
      this.bin = this.bin.map((each) => ({ ...each, segments: each.segments.filter(isThere) }));
    }
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

  /**
   * Removes all segments, purged by entry `sequence` of the write-ahead log; returns them, to be freed. With `isDrop`
   * soft-deleted ones go, too.
   */
  forget(sequence: number, isDrop: boolean): readonly Segment[] {
    const gone = isDrop ? this.#named : this.all;
    this.generation++;
    this.folder.unnamed.unname(gone);
    this.all = [];
    if (isDrop) this.bin = [];
    this.flushed = sequence;
    return gone;
  }

  /**
   * Puts those of a snapshot in the place of all, kept ones included, by entry `sequence` of the write-ahead log; returns what
   * was there, to be freed. They are the snapshot's files until the manifest is written.
   */
  become(sequence: number, { segments, kept, lender }: SavedSegments): readonly Segment[] {
    const gone = this.#named;
    this.generation++;
    this.folder.unnamed.unname(gone);
    // Whatever is stored from now on arrived after them.
    this.made.next = Math.max(this.made.next, youngestOf({ segments, kept }) + 1);
    const borrow = ({ path, meta }: SavedSegment) =>
      this.folder.segment({ ...meta, id: this.made.next++ }, path, lender);
    this.all = segments.map(borrow);
    this.bin = kept.map((each) => ({ ...each, segments: each.segments.map(borrow) }));
    this.flushed = sequence;
    return gone;
  }

  #own(): Promise<void> {
    const { files } = this.#common;
    return ownFiles({ files, folder: this.folder, next: this.made.next, named: () => this.#named });
  }

  /**
   * Puts new segments in the place of old ones, for good and then, with `visible`, at once; those are all the device's,
   * or all of one thing that is kept. False, and without effect but on the disk, when everything was purged since
   * `generation`.
   */
  async replace(
    made: readonly SegmentMeta[],
    replaced: readonly Segment[],
    { flushed, generation }: { readonly flushed: number; readonly generation: number },
    visible: () => void,
  ): Promise<boolean> {
    const gone = new Set(replaced);
    const isKept = this.bin.some(({ segments }) => segments.some((segment) => gone.has(segment)));
    const next = isKept ? { bin: this.#insteadOfKept(made, gone) } : { segments: this.#instead(made, gone) };
    if (!(await this.#put({ ...next, flushed }, generation, visible))) return false;
    await this.#free(replaced);
    return true;
  }

  /**
   * Makes a change of what counts, for good and then, with `visible`, at once, which hears when it was purged as of then. False,
   * and without effect but on the disk, as for `replace`.
   */
  async exchange(
    { made = [], replaced = [], kept = null, back = null }: Exchange,
    generation: number,
    visible: (purgedAt: Micros | null) => void,
  ): Promise<boolean> {
    const gone = new Set([...(kept?.moved ?? []), ...replaced]);
    const segments = inOrder([...this.#instead(made, gone), ...(back?.segments ?? [])]);
    const bin = this.bin.filter((each) => each !== back);
    if (kept !== null) {
      const removed = kept.removed.map((meta) => this.folder.segment(meta));
      bin.push({ name: kept.name, purge: kept.purge, segments: inOrder([...kept.moved, ...removed]) });
    }
    const { purgedAt: before } = this.#contact();
    const isLast = back !== null && back.purge !== null && back.purge.at === before;
    const purgedAt = kept?.purge?.at ?? (isLast ? back.purge.before : before);
    if (!(await this.#put({ segments, bin, purgedAt }, generation, () => visible(purgedAt)))) return false;
    await this.#free(replaced);
    return true;
  }

  /** Frees what is kept. */
  async discard(entry: KeptSegments): Promise<void> {
    const bin = this.bin.filter((each) => each !== entry);
    const { generation } = this;
    if (!(await this.#put({ bin }, generation, () => {}))) {
      // Purged meanwhile: what else is kept is not touched by that, what was removed with the device is freed already.
      if (!this.bin.includes(entry)) return;
      this.folder.unnamed.unname(entry.segments);
      this.bin = bin;
      await this.save();
    }
    await this.folder.unnamed.release(entry.segments);
    if (!this.folder.present) return;
    if (entry.purge !== null) await removeDamaged(this.#common.files, this.folder.path);
    await this.folder.confirm();
  }

  /** The segments once some have taken the place of others. */
  #instead(made: readonly SegmentMeta[], gone: ReadonlySet<Segment>): readonly Segment[] {
    return inOrder([
      ...this.all.filter((segment) => !gone.has(segment)),
      ...made.map((meta) => this.folder.segment(meta)),
    ]);
  }

  #insteadOfKept(made: readonly SegmentMeta[], gone: ReadonlySet<Segment>): readonly KeptSegments[] {
    return this.bin.map((each) => {
      const left = each.segments.filter((segment) => !gone.has(segment));
      if (left.length === each.segments.length) return each;
      return { ...each, segments: inOrder([...left, ...made.map((meta) => this.folder.segment(meta))]) };
    });
  }

  /** False, and without effect but on the disk, when everything was purged since `generation`. */
  async #put(
    { segments = this.all, bin = this.bin, flushed = 0, purgedAt = this.#contact().purgedAt }: Next,
    generation: number,
    visible: () => void,
  ): Promise<boolean> {
    const current = () => this.generation === generation;
    if (current()) await this.#own();
    const named = new Set([...segments, ...segmentsOf(bin)]);
    // Before the manifest is written: a crash may come as soon as it is on disk.
    this.folder.unnamed.unname(this.#named.filter((segment) => !named.has(segment)));
    const covered = Math.max(flushed, this.flushed);
    if (current()) await this.folder.write({ ...this.#manifest(segments, bin, covered), purgedAt });
    if (!current()) return false;
    this.all = segments;
    this.bin = bin;
    this.folder.unnamed.name(named);
    this.flushed = Math.max(flushed, this.flushed);
    visible();
    return true;
  }

  /** Frees segments that no manifest names any more. */
  async #free(replaced: readonly Segment[]): Promise<void> {
    for (const segment of replaced) {
      await keepDamaged(this.#common.files, this.folder.path, segment);
      await this.folder.unnamed.release([segment]);
    }
    if (replaced.length > 0) await this.folder.confirm();
  }

  /** Segments that the manifest names. */
  get #named(): readonly Segment[] {
    return [...this.all, ...segmentsOf(this.bin)];
  }

  /** Makes room for files of the device. */
  async prepare(): Promise<void> {
    await this.#own();
    await this.folder.prepare(this.#manifest());
  }

  /** Writes the manifest as things are. */
  async save(): Promise<void> {
    for (let hasOwn = false; !hasOwn; hasOwn = !this.#named.some(({ isLent }) => isLent)) await this.#own();
    const named = this.#named;
    await this.folder.write(this.#manifest());
    // Unless they went meanwhile: then they are to be removed.
    const now = new Set(this.#named);
    this.folder.unnamed.name(named.filter((segment) => now.has(segment)));
  }

  #manifest(segments = this.all, bin = this.bin, flushed = this.flushed): Manifest {
    return {
      flushed,
      lastSeen: this.#contact().lastSeen,
      purgedAt: this.#contact().purgedAt,
      next: this.made.next,
      segments: segments.map(({ meta }) => meta),
      kept: bin.map((each) => ({ ...each, segments: each.segments.map(({ meta }) => meta) })),
    };
  }
}
