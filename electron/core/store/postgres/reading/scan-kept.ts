import { Lru } from '../../blocks/query/lru.ts';
import { Timeline } from '../../blocks/query/timeline.ts';
import type { StoredRecord } from '../../store.ts';
import type { Database } from '../connection/connections.ts';
import type { Place } from '../rows/place.ts';
import { StoredSegment } from '../rows/segment.ts';
import type { SuppliedSegment } from '../rows/supplied-segment.ts';
import { BlocksGone, goneWhileReading, Reading } from './reading.ts';
import { walkRows } from './walking.ts';

const KEPT =
  'SELECT segment_id, age, rows, bytes, first, last, received, blocks FROM segment WHERE lane = $1 AND device_id = $2 AND state = 2 AND kept = $3';
/** Bytes of blocks that are held for it. */
const READ_BYTES = 1 << 20;

/** The records that are kept under a name, oldest first; none where nothing is. */
export async function* scanKept(
  database: Database,
  place: Place,
  name: string,
): AsyncGenerator<readonly StoredRecord[]> {
  const { history } = database;
  const rows = await database.ask(KEPT, [place.lane, place.device, name]);
  if (rows.length === 0) return;
  const reading = new Reading(database, new Lru(READ_BYTES), place, 0, history);
  const segments = rows.map((row) => reading.of(new StoredSegment(row)));
  const { timeline, ranks } = await reading.run(() => {
    const all = new Timeline(segments.toSorted(byArrival));
    return { timeline: all, ranks: all.ranks(undefined) };
  });
  try {
    for await (const batch of walkRows(reading, timeline, ranks, { received: true }))
      yield Array.from({ length: batch.size }, (_, i) => batch.sliceAt(i).record(batch.rowAt(i)));
  } catch (error) {
    throw error instanceof BlocksGone ? goneWhileReading() : error;
  }
}

const byArrival = ({ stored: a }: SuppliedSegment, { stored: b }: SuppliedSegment) =>
  a.age - b.age || a.id - b.id;
