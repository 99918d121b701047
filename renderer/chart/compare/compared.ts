import { isUplinkKey } from '#shared/domain/decoder-names.ts';
import type { PlacedDevice } from '../../stores/devices.ts';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';

/** A device that is compared, and what is known of its data. */
export interface Compared {
  readonly project_id: string;
  readonly device_id: string;
  readonly name: string;
  /** The same with what tells it from others of its name. */
  readonly label: string;
  readonly summary: DeviceSummary;
  /** Keys of it that are meant; absent: all of them. */
  readonly only?: readonly string[];
}

/** Characters of an id that tell devices of one name apart. */
const OF_ID = 4;

/** The devices of some ids, in their order; those that are not there any more are left out. */
export function placedBy(ids: readonly string[], all: readonly PlacedDevice[]): readonly PlacedDevice[] {
  const byId = new Map(all.map((placed) => [placed.device.id, placed]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** What each device is called among the others: with a part of its id where two share a name. */
export function labelsOf(placed: readonly PlacedDevice[]): readonly string[] {
  const names = placed.map(({ device }) => device.name);
  return placed.map(({ device: { id, name } }) =>
    names.filter((other) => other === name).length > 1 ? `${name} (${id.slice(0, OF_ID)})` : name,
  );
}

/** Keys with numbers that the compared devices have, those of most devices first; how payloads came last. */
export function commonKeys(devices: readonly Compared[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { summary } of devices)
    for (const { key, numeric } of summary.keys) if (numeric > 0) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts]
    .toSorted(([a, ofA], [b, ofB]) => Number(isUplinkKey(a)) - Number(isUplinkKey(b)) || ofB - ofA)
    .map(([key]) => key);
}
