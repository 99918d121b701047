import { doing } from '../../disk/errors.ts';
import { StoreError } from '../../base/errors.ts';
import { isReceipt } from '../receipt.ts';
import { Block } from '../blocks/block/block.ts';
import { writeBlocks, writeRows } from '../blocks/block/record-bytes.ts';
import { blocksOf, dividedAt } from '../blocks/block/rows-to-blocks.ts';
import { KeyLimitReached } from '../store-errors.ts';
import { Pace } from '../../turns/pace.ts';
import type { Common } from './device/common.ts';
import type { HeldKeys } from './device/device-keys.ts';
import type { PackedUpload, StoredRecord } from '../store.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Digest } from './wal/receipt-digest.ts';
import { BLOCKS, BLOCKS_ONCE, ROWS, ROWS_ONCE, writeDigest } from './wal/wal-entry.ts';
import type { Wal } from './wal/wal.ts';

/** Batches of at least so many records are packed at once, and logged packed. */
const PACKED_RECORDS = 512;

type Write = (held: HeldKeys, digest: Digest | null) => Promise<void>;

/** Stores what devices send, with a receipt once however often it is sent. Resolves when it is durable and can be read. */
export class Uploads {
  readonly #common: Common;
  readonly #wal: Wal;

  constructor(common: Common, wal: Wal) {
    this.#common = common;
    this.#wal = wal;
  }

  records(
    log: DeviceLog,
    records: readonly StoredRecord[],
    receipt: string | undefined,
  ): Promise<'stored' | 'duplicate'> {
    return this.#store(log, receipt, (held, digest) => {
      held.add(records);
      if (records.length >= PACKED_RECORDS)
        return this.#logBlocks(log, blocksOf(records, log.newest), digest);
      return this.#wal.append(
        log.id,
        digest === null ? ROWS : ROWS_ONCE,
        (out) => {
          if (digest !== null) writeDigest(digest, out);
          writeRows(records, out);
        },
        (sequence) => log.applyRows(sequence, records, digest),
      );
    });
  }

  /** The same for what a thread has packed; `blocks` are its blocks. */
  packed(
    log: DeviceLog,
    upload: PackedUpload,
    blocks: readonly Block[],
    receipt: string | undefined,
  ): Promise<'stored' | 'duplicate'> {
    return this.#store(log, receipt, (held, digest) => {
      holdKeysOf(upload, held);
      const divided = blocks.flatMap((block) => dividedAt(block, log.newest));
      return this.#logBlocks(log, divided, digest);
    });
  }

  #logBlocks(log: DeviceLog, blocks: readonly Block[], digest: Digest | null): Promise<void> {
    return this.#wal.append(
      log.id,
      digest === null ? BLOCKS : BLOCKS_ONCE,
      (out) => {
        if (digest !== null) writeDigest(digest, out);
        writeBlocks(blocks, out);
      },
      (sequence) => log.applyBlocks(sequence, blocks, digest),
    );
  }

  #store(log: DeviceLog, receipt: string | undefined, write: Write): Promise<'stored' | 'duplicate'> {
    return receipt === undefined ? this.#write(log, null, write) : this.#writeOnce(log, receipt, write);
  }

  /** Its keys are held until it is known whether it is stored. One function, since thousands a second wait in it. */
  async #write(log: DeviceLog, digest: Digest | null, write: Write): Promise<'stored'> {
    log.writers.begin();
    try {
      if (log.isFull) await makeRoom(log);
      const held = log.keys.hold();
      let isStored = false;
      try {
        await write(held, digest);
        isStored = true;
      } finally {
        held.settle(isStored);
      }
      if (log.wantsFlush) this.#common.background(log.flush());
      return 'stored';
    } finally {
      log.writers.end();
    }
  }

  async #writeOnce(log: DeviceLog, receipt: string, write: Write): Promise<'stored' | 'duplicate'> {
    log.writers.begin();
    try {
      if (log.isFull) await makeRoom(log);
      return await this.#once(log, receipt, async (digest) => {
        await this.#write(log, digest, write);
      });
    } finally {
      log.writers.end();
    }
  }

  #once(
    log: DeviceLog,
    receipt: string,
    store: (digest: Digest) => Promise<void>,
  ): Promise<'stored' | 'duplicate'> {
    if (!isReceipt(receipt))
      throw new StoreError('io', 'A receipt is 1 to 255 visible ASCII characters; nothing was stored.');
    // Also what is there already: nobody is told that a disk is well which is not.
    const { reason } = this.#common.poison;
    if (reason !== null) throw reason;
    return doing('storing records', () => log.receipts.once(receipt, store));
  }
}

/** Moves the records to the folder, which may be writable again; rejects with its failure, for the sender. */
function makeRoom(log: DeviceLog): Promise<void> {
  return doing('storing records', () => log.flush());
}

/** Returns the blocks that a thread has packed, in slices of time. */
export async function blocksOfUpload({ packed, received }: PackedUpload): Promise<Block[]> {
  const pace = new Pace();
  const blocks: Block[] = [];
  for (const bytes of packed) {
    const { first, last } = new Block(Buffer.from(bytes.buffer));
    blocks.push(new Block(Buffer.from(bytes.buffer), { first, last, received }));
    await pace.pause();
  }
  return blocks;
}

/** Throws KeyLimitReached, which says what record brings the key. */
function holdKeysOf({ keys }: PackedUpload, held: HeldKeys): void {
  try {
    held.addKeys(keys.keys());
  } catch (error) {
    if (!(error instanceof KeyLimitReached)) throw error;
    throw new KeyLimitReached(keys.get(error.key) ?? null, error.key);
  }
}
