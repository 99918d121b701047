import type { FoundDevice } from '#shared/operations/devices.ts';
import { ask } from '../bridge/ask.ts';
import { compareTexts } from '../order.ts';

/** So many at a time that reading an answer keeps no frame waiting. */
const AT_ONCE = 2_000;

/** Every device of a project, latest seen first, then newest created. */
export async function readDevices(project_id: string): Promise<readonly FoundDevice[]> {
  // By id: what is made or deleted meanwhile moves the pages.
  const found = new Map<string, FoundDevice>();
  for (let page = 1; ; page++) {
    // An order that stays as it is while devices store.
    const devices = await ask('devices.find', { project_id, sort: 'created', page, limit: AT_ONCE });
    for (const device of devices) found.set(device.id, device);
    if (devices.length < AT_ONCE) break;
  }
  return [...found.values()].toSorted((a, b) => -compareTexts(a.last_seen, b.last_seen));
}
