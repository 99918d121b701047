import { FIRST_RECORD_TIME, LAST_RECORD_TIME } from '#shared/values/time.ts';
import { quote } from '#shared/values/validate.ts';
import type { FoundMember } from '../../backup/tar.ts';
import { badRequest } from '../../base/errors.ts';
import type { BackupRecords } from '../../store/backup-records.ts';
import type { StoredRecord } from '../../store/store.ts';

const HEADER_BYTES = 8;
/** A block holds the rows of a few MB at most (store/blocks/block). */
const MOST_BLOCK_BYTES = 80 * 1024 * 1024;

/**
 * Yields the records of a member, block by block, each in order of time. Rejects with a 400 Refusal where they are none that a service
 * would have stored.
 */
export async function* recordsOf(
  member: FoundMember,
  backup: Pick<BackupRecords, 'recordsIn'>,
): AsyncGenerator<readonly StoredRecord[]> {
  for await (const block of blocksIn(member)) {
    const records = backup.recordsIn(block);
    if (records === null || isFaulty(records)) throw noBlock(member);
    yield records;
  }
}

/** The blocks of a member, each in bytes of its own, as a block begins at a multiple of 8. */
async function* blocksIn(member: FoundMember): AsyncGenerator<Buffer> {
  let pieces: Uint8Array[] = [];
  let held = 0;
  let wanted = HEADER_BYTES;
  for await (const piece of member.content) {
    pieces.push(piece);
    held += piece.length;
    while (held >= wanted) {
      const bytes = Buffer.concat(pieces);
      const length = bytes.readUInt32LE(4);
      if (length < HEADER_BYTES || length % 8 !== 0 || length > MOST_BLOCK_BYTES) throw noBlock(member);
      if (held < length) {
        pieces = [bytes];
        wanted = length;
        break;
      }
      yield Buffer.from(Uint8Array.from(bytes.subarray(0, length)).buffer);
      pieces = [bytes.subarray(length)];
      held -= length;
      wanted = HEADER_BYTES;
    }
  }
  if (held > 0) throw noBlock(member);
}

/**
 * Whether one of them is none that the store could hold and read again. Rules that came later (ingest/record.ts) are not asked for: what was
 * stored once is restored.
 */
function isFaulty(records: readonly StoredRecord[]): boolean {
  let last = FIRST_RECORD_TIME;
  for (const { timestamp, values } of records) {
    if (!(timestamp >= last && timestamp <= LAST_RECORD_TIME)) return true;
    last = timestamp;
    if (values.some((value) => typeof value === 'number' && !Number.isFinite(value))) return true;
  }
  return false;
}

const noBlock = ({ name }: FoundMember) =>
  badRequest(`The backup cannot be read: ${quote(name)} holds something else than the records of a device`);
