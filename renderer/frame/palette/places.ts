import type { PlacedDevice } from '../../stores/devices.ts';
import { readTexts, type Findable } from './rank.ts';

/** A device as the palette looks for it. */
export interface DevicePlace extends PlacedDevice {
  readonly findable: Findable;
  /** Whether another device of its project has the same name. */
  readonly twin: boolean;
}

/** So many are prepared in one go: no key waits for it. */
const AT_ONCE = 500;

let last: { of: readonly PlacedDevice[]; places: readonly DevicePlace[] } = { of: [], places: [] };

const nameOf = ({ project, device }: PlacedDevice) => `${project.id}/${device.name}`;

/** The devices as the palette looks for them: the same ones for the same devices. */
export function placesOf(devices: readonly PlacedDevice[]): readonly DevicePlace[] {
  if (last.of === devices) return last.places;
  const names = new Map<string, number>();
  for (const placed of devices) names.set(nameOf(placed), (names.get(nameOf(placed)) ?? 0) + 1);
  const places = devices.map((placed) => ({
    ...placed,
    findable: findableOf(placed),
    twin: (names.get(nameOf(placed)) ?? 0) > 1,
  }));
  last = { of: devices, places };
  void prepare(places);
  return places;
}

function findableOf({ project, device }: PlacedDevice): Findable {
  const { id, name, tags, brand, model, description } = device;
  return { id, name, more: [...tags, brand, model, description, project.name].join('\n') };
}

/** Reads their texts before the first key is pressed. */
async function prepare(places: readonly DevicePlace[]): Promise<void> {
  for (let from = 0; from < places.length && last.places === places; from += AT_ONCE) {
    for (const { findable } of places.slice(from, from + AT_ONCE)) readTexts(findable);
    await new Promise((resolve) => setTimeout(resolve));
  }
}
