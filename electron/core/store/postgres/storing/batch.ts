import { StoreError } from '../../../base/errors.ts';
import { machineClock } from '../../../base/machine-clock.ts';
import { Serial } from '../../../turns/serial.ts';
import { Block } from '../../blocks/block/block.ts';
import { Packer } from '../../blocks/block/packer.ts';
import { nameTaken, notKept } from '../../store-errors.ts';
import type { Batch, Replacement, StoredRecord } from '../../store.ts';
import { Building, type MadeSegment } from '../rows/building.ts';
import type { Asker, Database } from '../connection/connections.ts';
import { firstKeys, holdKeys, type DeviceKeys } from '../rows/device-keys.ts';
import { lockToWrite, revised, writeHead, type Head } from '../rows/head.ts';
import type { Place } from '../rows/place.ts';
import { ageOf, sealTail } from './sealing.ts';
import { findKept, takeRange, type Back, type Taken } from './soft-deletes.ts';
import { checkEpoch, Staging } from './staging.ts';
import { counted, segmentStatements } from './writing.ts';

/** Blocks that are written at once. */
const MOST_BLOCKS = 64;
/** Milliseconds after which a batch that is waited for says that it goes on. */
const GOES_ON_MS = 15_000;

export interface BatchParts {
  readonly database: Database;
  readonly keys: DeviceKeys;
  readonly segmentRows: number;
  /** Called when it has ended. */
  readonly ended: (batch: StagedBatch) => void;
  /** Segments came. */
  readonly committed: (place: Place) => void;
}

/** What a batch stores, and what goes and comes back for it. */
interface Storing {
  readonly made: readonly MadeSegment[];
  readonly sealed: Head;
  readonly taken?: Taken | null;
  readonly kept?: Back | null;
}

/** An import: blocks of no segment, until all segments are there at once. */
export class StagedBatch implements Batch {
  readonly place: Place;
  readonly #parts: BatchParts;
  readonly #staging: Staging;
  readonly #building: Building;
  readonly #packer = new Packer((block) => this.#write(block));
  /** Queue of its calls: the device may be retired in the middle of any. */
  readonly #work = new Serial();
  readonly #retired = new AbortController();
  readonly #names = new Map<string, number | null>();
  readonly #beats: NodeJS.Timeout;
  #fresh = 0;
  #added = 0;
  #last = -Infinity;
  #epoch: number | null;
  #over = false;

  /** `epoch`: of the device when it began; null for one that is not there yet. */
  constructor(parts: BatchParts, place: Place, epoch: number | null) {
    this.place = place;
    this.#parts = parts;
    this.#epoch = epoch;
    this.#staging = new Staging(parts.database, place);
    this.#building = new Building(parts.segmentRows, () => this.#number());
    // What fails here is met again by whoever adds or commits.
    const goesOn = () => void this.#staging.goesOn().catch(() => undefined);
    this.#beats = machineClock.every(GOES_ON_MS, goesOn).unref();
  }

  get signal(): AbortSignal {
    return this.#retired.signal;
  }

  add(records: readonly StoredRecord[]): Promise<void> {
    return this.#work.run(async () => {
      this.#checkOpen();
      const keys = firstKeys(records, this.#added);
      const isNew = [...keys.keys()].some((key) => !this.#names.has(key));
      if (isNew) await this.#parts.keys.hold(this.place, new Map([...this.#names, ...keys]));
      for (const [key, record] of keys) if (!this.#names.has(key)) this.#names.set(key, record);
      this.#added += records.length;
      await this.#packer.add(records);
    });
  }

  commit(revision?: number): Promise<boolean> {
    return this.#ending(async () => {
      if (this.#added === 0) return true;
      return this.#change(async (transaction, locked, made) => {
        if (revision !== undefined && locked.revision !== revision) return false;
        // Rows that are there by now arrived before it.
        const sealed = await sealTail(transaction, this.place, locked, this.#parts.segmentRows);
        await this.#store(transaction, { made, sealed });
        return true;
      });
    });
  }

  replace({ name, range, revision, expected, back }: Replacement): Promise<boolean> {
    const { place } = this;
    const { segmentRows } = this.#parts;
    return this.#ending(() =>
      this.#change(async (transaction, locked, made) => {
        if (locked.revision !== revision) return false;
        if ((await findKept(transaction, place, name)) !== null) throw nameTaken(name);
        const kept = back === undefined ? null : await findKept(transaction, place, back);
        if (back !== undefined && kept === null) throw notKept(back);
        const sealed = await sealTail(transaction, place, locked, segmentRows);
        const taken = await takeRange(transaction, place, sealed, { range, name, segmentRows });
        if (taken.rows === expected) await this.#store(transaction, { made, sealed, taken, kept });
        // The tail stays sealed.
        else await writeHead(transaction, place, sealed);
        return taken.rows === expected;
      }),
    );
  }

  abort(): Promise<void> {
    return this.#work.run(() => this.#discard());
  }

  /** Ends it; what is asked of it from then on rejects with the reason. */
  retire(reason: StoreError): Promise<void> {
    this.#retired.abort(reason);
    return this.abort();
  }

  /** Ends it by `work`; where that resolves with false nothing of it is stored. */
  async #ending(work: () => Promise<boolean>): Promise<boolean> {
    const isStored = await this.#work.run(async () => {
      this.#checkOpen();
      await this.#packer.end();
      if (!(await work())) return false;
      this.#end();
      return true;
    });
    if (!isStored) await this.abort();
    return isStored;
  }

  /** Calls `work` in a transaction that has locked the device's head, with its segments; false where it resolves with that. */
  async #change(
    work: (transaction: Asker, locked: Head, made: readonly MadeSegment[]) => Promise<boolean>,
  ): Promise<boolean> {
    const { place } = this;
    const { database, committed } = this.#parts;
    const made = this.#building.finish();
    await this.#staging.write(this.#building.takeBlocks());
    const isStored = await database.change(
      async (transaction) => {
        const locked = await lockToWrite(transaction, place);
        checkEpoch(locked.epoch, this.#epoch);
        return work(transaction, locked, made);
      },
      { lane: place.lane },
    );
    if (isStored) committed(place);
    return isStored;
  }

  /** Makes its segments the device's, after what is `taken` away and put back for it. Writes the head. */
  async #store(transaction: Asker, { made, sealed, taken = null, kept = null }: Storing): Promise<void> {
    const { place } = this;
    const before = taken?.head ?? sealed;
    const keys = new Map([...(kept?.keys ?? []), ...this.#names]);
    const held = await holdKeys(transaction, place, before, keys);
    await this.#staging.take(transaction);
    let { nextSeq } = held.head;
    const statements = [
      ...(taken?.statements ?? []),
      ...(kept?.statements ?? []),
      ...made.flatMap((segment) => segmentStatements(place, segment, ageOf(nextSeq++))),
    ];
    if (statements.length > 0) await transaction.askAll(statements);
    const head = statements.length > 0 ? revised(await counted(transaction, place, held.head)) : held.head;
    const purgedAt = kept === null ? head.purgedAt : kept.purgedAt(head);
    await writeHead(transaction, place, { ...head, nextSeq, purgedAt });
  }

  async #discard(): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    try {
      await this.#staging.discard();
    } finally {
      this.#end();
    }
  }

  #end(): void {
    this.#over = true;
    clearInterval(this.#beats);
    this.#parts.ended(this);
  }

  /** Adds a block; one that begins before the end of the last one begins another segment. */
  async #write(bytes: Buffer): Promise<void> {
    this.#epoch = await this.#staging.reserve(1, this.#epoch === null ? null : this.#epoch);
    const block = new Block(bytes);
    if (block.first < this.#last) this.#building.end();
    this.#building.block(block);
    this.#last = block.last;
    if (++this.#fresh % MOST_BLOCKS === 0) await this.#staging.write(this.#building.takeBlocks());
  }

  #number(): number {
    return this.#staging.number();
  }

  #checkOpen(): void {
    this.signal.throwIfAborted();
    if (this.#over) throw new StoreError('closed', 'The import has ended; start another one.');
  }
}
