/* Sources of widgets that a device left, and has come back to. */

interface Source {
  readonly device_id: string;
  readonly key: string;
}
export type Sources = readonly Source[];

/** A widget as it was before it lost a source. */
export interface WidgetBefore {
  readonly id: string;
  readonly sources: Sources;
}

/** Sources of a widget without a device. */
export const without = (sources: Sources, device_id: string): Source[] =>
  sources.filter((source) => source.device_id !== device_id);

/**
 * Sources of a widget that has again those of the devices that came `back`: as they were where nobody has changed it since,
 * else behind those that it has now.
 */
export function regained(now: Sources, before: Sources, back: ReadonlySet<string>): Source[] {
  const lost = before.filter(({ device_id }) => back.has(device_id));
  const isAsLeft = isSame(
    now,
    before.filter(({ device_id }) => !back.has(device_id)),
  );
  return isAsLeft ? [...before] : [...now, ...lost];
}

const isSame = (a: Sources, b: Sources) =>
  a.length === b.length &&
  a.every(({ device_id, key }, i) => b[i]?.device_id === device_id && b[i].key === key);
