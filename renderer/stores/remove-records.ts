import { formatMicros, type Micros } from '#shared/time.ts';
import { ask } from '../bridge/ask.ts';
import type { OutputOf } from '#shared/operations/index.ts';

interface Stretch {
  readonly project_id: string;
  readonly device_id: string;
  /** In µs, both included. */
  readonly from: Micros;
  readonly to: Micros;
}

/** Removes the records of a stretch of time so that they can be had back. Rejects with `Refused`. */
export async function removeRecords({
  project_id,
  device_id,
  from,
  to,
}: Stretch): Promise<OutputOf<'records.delete'>> {
  const span = { start: formatMicros(from), end: formatMicros(to) };
  return ask('records.delete', { project_id, device_id, ...span });
}
