import { StoreError } from '../../base/errors.ts';
import type { StoredRecord } from '../store.ts';
import { Block, isBlock } from '../blocks/block/block.ts';
import { blocksOf } from '../blocks/block/rows-to-blocks.ts';
import { Asleep, entriesOf, onlyStores } from './device/asleep.ts';
import type { Common } from './device/common.ts';
import { latestReceived } from './device/device-entries.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Devices } from './device/devices.ts';
import { readCarried } from './wal/carried.ts';
import { nothingSaved, ofAnother } from './device/saved/snapshot-entries.ts';
import type { Digest } from './wal/receipt-digest.ts';
import type { Entries, WalEntries } from './wal/wal-entries.ts';
import {
  CARRIED,
  DROP,
  ERASE,
  PURGE,
  readPurge,
  readReference,
  readUpload,
  RESTORED,
  RESTORED_ROWS,
  type WalEntry,
} from './wal/wal-entry.ts';

/*
 * Takes up what the write-ahead log holds when it is read again. No two devices share anything, so it is done device by
 * device: what one is made of stays near at hand, and its rows, which came one by one, are packed in one go.
 */

const LOADED_AT_ONCE = 16;
/**
 * Bytes of the log that are in memory at once: more than it has with the usual limits, so that what a device has in
 * several files is packed in one go.
 */
const GATHERED_BYTES = 160 << 20;
/** Bytes of the log that stay in memory for devices that sleep. */
const MOST_ASLEEP_BYTES = 16 << 20;
/** Rows of a device from which on they are packed, and how many at a time. */
const PACKED_ROWS = 32;
const PACKED_AT_ONCE = 4096;

/** Entries of several files. */
export class Gathered {
  readonly #common: Common;
  readonly #devices: Devices;
  #files: WalEntries[] = [];
  #bytes = 0;
  #hasReplayed = false;

  constructor(common: Common, devices: Devices) {
    this.#common = common;
    this.#devices = devices;
  }

  /** Adds the entries of a file, which keep so many bytes in memory. */
  async add(entries: WalEntries, bytes: number): Promise<void> {
    this.#files.push(entries);
    this.#bytes += bytes;
    if (this.#bytes >= GATHERED_BYTES) await this.replay();
  }

  /**
   * Takes up what was added so far. Loading a device takes away files whose removal a crash has undone: also where entries
   * say no more than that there are some.
   */
  async replay(): Promise<void> {
    const files = this.#files;
    await this.#replay(new Set(files.flatMap((file) => file.devices())), files);
    this.#files = [];
    this.#bytes = 0;
  }

  /** The same for the rest, but devices that no folder, removal or damage tells of go on sleeping where that is not much. */
  async end(): Promise<void> {
    if (this.#bytes > MOST_ASLEEP_BYTES || this.#hasReplayed) return this.replay();
    const files = this.#files;
    const asleep = new Set<string>();
    const awake = new Set<string>();
    for (const file of files)
      for (const id of file.devices()) (this.#devices.holdsNothing(id) ? asleep : awake).add(id);
    for (const file of files)
      for (const id of file.devicesWith((entry) => !onlyStores(entry))) if (asleep.delete(id)) awake.add(id);
    await this.#replay(awake, files);
    this.#devices.haveAsleep(new Asleep(asleep, files, (log, entries) => replay(this.#common, log, entries)));
  }

  async #replay(ids: ReadonlySet<string>, files: readonly WalEntries[]): Promise<void> {
    const left = ids.values();
    const replayAll = async () => {
      for (const id of left) replay(this.#common, await this.#devices.get(id), entriesOf(files, id));
    };
    await Promise.all(Array.from({ length: LOADED_AT_ONCE }, replayAll));
    this.#hasReplayed ||= ids.size > 0;
  }
}

interface RowsUpload {
  readonly sequence: number;
  readonly rows: readonly StoredRecord[];
  readonly receipt: Digest | null;
}

/** Takes up the entries of one device in several files, in their order. */
function replay(common: Common, log: DeviceLog, files: readonly Entries[]): void {
  let uploads: RowsUpload[] = [];
  let rows = 0;
  const takeUp = () => {
    if (uploads.length > 0) applyUploads(log, uploads);
    uploads = [];
    rows = 0;
  };
  const replayEntry = (entry: WalEntry) => {
    const { sequence, kind } = entry;
    if (kind === RESTORED) noteRestored(common, entry);
    if (kind === ERASE || !log.isNew(sequence)) return;
    const upload = readWhole(common, entry, readUpload);
    if (upload === undefined) return;
    if (upload !== null && 'rows' in upload.records) {
      uploads.push({ sequence, rows: upload.records.rows, receipt: upload.receipt });
      rows += upload.records.rows.length;
      if (rows >= PACKED_AT_ONCE) takeUp();
      return;
    }
    takeUp();
    if (upload !== null && 'blocks' in upload.records)
      log.applyBlocks(sequence, wholeOnes(upload.records.blocks), upload.receipt);
    else replayOther(common, log, entry);
  };
  for (const entries of files) for (let i = 0; i < entries.length; i++) replayEntry(entries.at(i));
  takeUp();
}

/** As if they were applied one after the other. */
function applyUploads(log: DeviceLog, uploads: readonly RowsUpload[]): void {
  const records = uploads.flatMap(({ rows }) => rows);
  const last = uploads.at(-1);
  if (last === undefined || records.length < PACKED_ROWS) {
    for (const { sequence, rows, receipt } of uploads) log.applyRows(sequence, rows, receipt);
    return;
  }
  for (const { receipt } of uploads) if (receipt !== null) log.receipts.add(receipt);
  log.applyBlocks(last.sequence, blocksOf(records, log.newest), null);
  // Of what came last: a clock that was ahead for a while does not count for ever.
  log.lastSeen = latestReceived(last.rows);
}

/** Replays an entry that refers to a snapshot. */
function replayRestored(common: Common, log: DeviceLog, entry: WalEntry): void {
  const { saved } = common;
  const reference = readWhole(common, entry, () => readReference(entry.reader()));
  if (reference === undefined) return;
  const { sequence, kind } = entry;
  const { snapshot, device, isEmpty } = reference;
  if (isEmpty) {
    log.applySnapshot(sequence, snapshot, nothingSaved(saved.lender(snapshot)));
    return;
  }
  const found = saved.find(snapshot)?.devices.get(device) ?? null;
  if (kind === RESTORED) {
    const own = found !== null && device !== log.id ? ofAnother(found) : found;
    log.applySnapshot(sequence, snapshot, own);
  } else log.applySnapshotRows(sequence, found && wholeOnes(found.blocks));
}

/** That a restore was done, also of a device whose manifest covers it. */
function noteRestored(common: Common, entry: WalEntry): void {
  const reference = readWhole(common, entry, () => readReference(entry.reader()));
  if (reference !== undefined) common.saved.restored.add(reference.mark);
}

/** Replays an entry that is no upload. */
function replayOther(common: Common, log: DeviceLog, entry: WalEntry): void {
  const { sequence, kind } = entry;
  if (kind === CARRIED) {
    const carried = readWhole(common, entry, () => readCarried(entry.reader()));
    if (carried !== undefined) log.applyCarried(sequence, carried);
  } else if (kind === RESTORED || kind === RESTORED_ROWS) {
    replayRestored(common, log, entry);
  } else if (kind === PURGE || kind === DROP) {
    const unfinished = log.segments.length > 0;
    const gone = log.applyPurge(sequence, kind === PURGE ? readPurge(entry.reader()) : null);
    if (unfinished) {
      const message = `Finished removing ${gone} records of device ${log.id}.`;
      common.note({ device: log.id, kind: 'finished-purge', message });
    }
  }
}

function wholeOnes(blocks: readonly Buffer[]): Block[] {
  return blocks.filter(isBlock).map((bytes) => new Block(bytes));
}

/** Returns the content of an entry; undefined, with a note, where this version cannot read it. */
function readWhole<T>(common: Common, entry: WalEntry, read: (entry: WalEntry) => T): T | undefined {
  try {
    return read(entry);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'damaged') throw error;
    const message = `An entry of ${entry.length} bytes in the write-ahead log cannot be read; what it holds of device ${entry.device} is lost, everything else is not.`;
    common.note({ device: entry.device, kind: 'damaged', message });
    return undefined;
  }
}
