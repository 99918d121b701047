import type { JudgedElsewhere } from '#shared/operations/records/sync-rows.ts';
import type { Micros } from '#shared/values/time.ts';
import type { ToldRule } from '../../store/metadata/alarm-rows.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import { requireDevice } from '../alarms/rule-rows.ts';

/**
 * Notes with a device until when another service judged rules on it, in a change: also of rules that come later. Rejects with a 400
 * Refusal where the device is none of the project.
 */
export async function noteJudged(
  tables: WritableTables,
  project: StoredProject,
  { device_id, at, rules }: JudgedElsewhere,
  now: Micros,
): Promise<void> {
  const device = await requireDevice(tables, device_id, project.id);
  const told = new Map<string, ToldRule>();
  for (const each of device.told ?? [])
    if ((await tables.get('functions', each.function_id)) !== null) told.set(each.function_id, each);
  // A service there whose clock is ahead keeps nothing back here.
  const until = Math.min(at, now);
  for (const { function_id, ahead } of rules) {
    const before = told.get(function_id)?.at ?? -Infinity;
    told.set(function_id, { function_id, at: Math.max(before, until), ...(ahead && { ahead }) });
  }
  await tables.patch('devices', device_id, { told: [...told.values()] });
}
