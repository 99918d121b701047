import type { Micros } from '#shared/values/time.ts';
import type { Mark, Reading } from './walk-leaves.ts';

/** How much further from the newest record each mark lies than the one behind it. */
const FURTHER = 4;

/** Marks of a walk from one time to the newest record: near the end many, oldest first. */
export async function planMarks(
  from: Mark,
  newest: Mark,
  { records, device }: Pick<Reading, 'records' | 'device'>,
): Promise<readonly Mark[]> {
  const times = new Set<Micros>();
  for (let offset = 1; offset < newest.records - from.records; offset *= FURTHER) {
    const { timestamps } = await records.columns(device, { offset, limit: 1, keys: [] });
    const [time] = timestamps;
    if (time !== undefined && time > from.time && time < newest.time) times.add(time);
  }
  const marks: Mark[] = [];
  for (const time of [...times].toSorted((a, b) => a - b))
    marks.push({ time, records: (await records.within(device, { end: time })).records });
  return [...marks, newest];
}
