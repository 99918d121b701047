import type { RecordStore } from '#core/store/store.ts';
import { record } from '../../suites/record-store/harness.ts';

/* More devices than a file of the log gives up one by one. */

export const DEVICES = Array.from({ length: 300 }, (_, i) => `device-${i}`);

/** So many rounds in which every device sends a record. */
export async function send(store: RecordStore, rounds: number, from = 0): Promise<void> {
  for (let n = from; n < from + rounds; n++)
    await Promise.all(DEVICES.map((device) => store.append(device, [record(n)])));
}
