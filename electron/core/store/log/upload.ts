import { Block } from '../blocks/block/block.ts';
import { blocksOf } from '../blocks/block/rows-to-blocks.ts';
import { KeyLimitReached } from '../store-errors.ts';
import { Pace } from '../../turns/pace.ts';
import type { HeldKeys } from './device/device-keys.ts';
import type { PackedUpload, StoredRecord } from '../store.ts';
import type { DeviceLog } from './device/device-log.ts';
import type { Digest } from './wal/receipt-digest.ts';
import {
  BLOCKS,
  BLOCKS_ONCE,
  ROWS,
  ROWS_ONCE,
  writeBlocks,
  writeDigest,
  writeRows,
} from './wal/wal-entry.ts';
import type { Wal } from './wal/wal.ts';

/** Batches of at least so many records are packed at once, and logged packed. */
const PACKED_RECORDS = 512;

/** Stores what a device sent; resolves once it is durable and can be read. */
export function logUpload(
  wal: Wal,
  log: DeviceLog,
  records: readonly StoredRecord[],
  receipt: Digest | null,
): Promise<void> {
  if (records.length < PACKED_RECORDS)
    return wal.append(
      log.id,
      receipt === null ? ROWS : ROWS_ONCE,
      (out) => {
        if (receipt !== null) writeDigest(receipt, out);
        writeRows(records, out);
      },
      (sequence) => log.applyRows(sequence, records, receipt),
    );
  return logBlocks(wal, log, blocksOf(records, log.newest), receipt);
}

/** The same for records that are packed already. */
export function logBlocks(
  wal: Wal,
  log: DeviceLog,
  blocks: readonly Block[],
  receipt: Digest | null,
): Promise<void> {
  return wal.append(
    log.id,
    receipt === null ? BLOCKS : BLOCKS_ONCE,
    (out) => {
      if (receipt !== null) writeDigest(receipt, out);
      writeBlocks(blocks, out);
    },
    (sequence) => log.applyBlocks(sequence, blocks, receipt),
  );
}

/** What a thread has packed, in slices of time. */
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
export function holdKeysOf({ keys }: PackedUpload, held: HeldKeys): void {
  try {
    held.addKeys(keys.keys());
  } catch (error) {
    if (!(error instanceof KeyLimitReached)) throw error;
    throw new KeyLimitReached(keys.get(error.key) ?? null, error.key);
  }
}
