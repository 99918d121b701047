import { isBlock } from '../../blocks/block/block.ts';
import { allocate } from '../../blocks/codec/bytes.ts';
import type { CheckOptions, DamagedFile, StoredCheck } from '../../store.ts';
import type { Database } from '../connection/connections.ts';
import type { Place } from '../rows/place.ts';
import { StoredSegment } from '../rows/segment.ts';

const ALL =
  'SELECT segment_id, age, rows, bytes, first, last, received, blocks FROM segment WHERE lane = $1 AND device_id = $2 AND state < 3';
const TAIL_ROWS = 'SELECT tail_rows FROM device_head WHERE lane = $1 AND device_id = $2';
const STILL =
  'SELECT segment_id FROM segment WHERE lane = $1 AND device_id = $2 AND segment_id = $3 AND state < 3';
const BLOCKS =
  'SELECT block_id, bytes FROM block WHERE lane = $1 AND device_id = $2 AND block_id = ANY($3::bigint[])';
const MOST_BLOCKS = 256;

export const NOTHING: StoredCheck = { files: 0, records: 0, bytes: 0, findings: [] };

/** Reads every block of a device, kept ones included. Rejects as the signal's reason. */
export async function checkStored(
  database: Database,
  place: Place,
  { signal, progress }: CheckOptions,
): Promise<StoredCheck> {
  const key = [place.lane, place.device];
  let { files, bytes } = NOTHING;
  const findings: DamagedFile[] = [];
  const [heads = [], segments = []] = await database.askAll([
    { sql: TAIL_ROWS, params: key },
    { sql: ALL, params: key },
  ]);
  let records = (heads[0]?.['tail_rows'] as number | undefined) ?? 0;
  for (const row of segments) {
    const segment = new StoredSegment(row);
    const { table } = segment;
    files++;
    records += segment.rows;
    let lost = 0;
    for (let from = 0; from < table.count; from += MOST_BLOCKS) {
      signal?.throwIfAborted();
      const indexes = Array.from({ length: Math.min(MOST_BLOCKS, table.count - from) }, (_, i) => from + i);
      const rows = await database.ask(BLOCKS, [...key, indexes.map((index) => table.offsetOf(index))]);
      const found = new Map(rows.map((block) => [block['block_id'] as number, block['bytes'] as Buffer]));
      let read = 0;
      for (const index of indexes) {
        const block = found.get(table.offsetOf(index));
        read += block?.length ?? 0;
        if (!block || !isWhole(block)) lost += table.rowsOf(index);
      }
      bytes += read;
      progress?.(read);
    }
    // What was removed meanwhile is no damage.
    const isThere = lost === 0 || (await database.ask(STILL, [...key, segment.id])).length > 0;
    if (lost > 0 && isThere)
      findings.push({
        device: place.device,
        file: `segment ${segment.id}`,
        message: `${lost} records of device ${place.device} are damaged in the database ${database.name}. Restore them from a backup or a standby.`,
        loses: true,
      });
  }
  return { files, records, bytes, findings };
}

function isWhole(bytes: Buffer): boolean {
  const copy = allocate(bytes.length);
  copy.set(bytes);
  return isBlock(copy);
}
