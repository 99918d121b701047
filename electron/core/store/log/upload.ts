import { blocksOf } from '../blocks/block/rows-to-blocks.ts';
import type { StoredRecord } from '../store.ts';
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
  const packed = blocksOf(records, log.newest);
  return wal.append(
    log.id,
    receipt === null ? BLOCKS : BLOCKS_ONCE,
    (out) => {
      if (receipt !== null) writeDigest(receipt, out);
      writeBlocks(packed, out);
    },
    (sequence) => log.applyBlocks(sequence, packed, receipt),
  );
}
