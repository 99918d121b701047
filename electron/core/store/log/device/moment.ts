import { DamagedSnapshot } from '../../store.ts';
import type { DeviceMoment, DeviceState } from '../../backup-records.ts';
import type { Files } from '../../../disk/files.ts';
import type { Block } from '../../blocks/block/block.ts';
import { Run } from '../../blocks/query/run.ts';
import type { SortedRows } from '../../blocks/query/sorted-rows.ts';
import { Pace } from '../../../turns/pace.ts';
import { Segment } from '../segment/segment.ts';
import { packed } from '../wal/receipt-digest.ts';
import type { DeviceLog } from './device-log.ts';
import { readSnapshot } from './snapshot/read-snapshot.ts';
import { snapshotOf } from './snapshot/snapshot.ts';
import { withKnownIn } from './with-known.ts';

/** Bytes that are read at once. */
const PREFETCH_BYTES = 1 << 18;

/** A device as it is now (backup-records.ts); `files` are those of the store. */
export function momentOf(log: DeviceLog, files: Files): DeviceMoment {
  const state = stateOf(log);
  const records = log.rows;
  const snapshot = snapshotOf(log);
  const { parts } = snapshot;
  const told = (error: unknown) => (error instanceof DamagedSnapshot ? snapshot.damaged(error.what) : error);
  async function* blocks(): AsyncGenerator<Uint8Array> {
    try {
      yield* readSnapshot(parts, blocksOf, files);
    } catch (error) {
      throw told(error);
    }
  }
  const among: DeviceMoment['among'] = (work) =>
    withKnownIn(parts, work, files).catch((error: unknown) => {
      throw told(error);
    });
  return {
    state,
    records,
    release: () => snapshot.release(),
    blocks,
    among,
  };
}

function stateOf({ lastSeen, purgedAt, receipts }: DeviceLog): DeviceState {
  const list = receipts.load();
  return { lastSeen, purgedAt, receipts: packed(list.last(list.size)) };
}

async function* blocksOf(sources: readonly SortedRows[]): AsyncGenerator<Uint8Array> {
  const pace = new Pace();
  for (const source of sources) {
    if (!(source instanceof Run)) throw new TypeError('A snapshot holds runs of blocks alone.');
    for (let index = 0; index < source.table.count; index++) {
      // What is damaged has no rows any more.
      if (source.table.rowsOf(index) === 0) continue;
      if (source instanceof Segment) await source.prefetch(index, PREFETCH_BYTES);
      const block: Block = source.block(index);
      yield block.bytes;
      await pace.pause();
    }
  }
}
