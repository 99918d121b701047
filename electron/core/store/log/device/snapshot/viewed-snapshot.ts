import { formersOf, type Lens, type RecordSnapshot, type Viewed } from '../../../store.ts';

/** Parts of the snapshot of a device that is read through a lens. */
export interface ViewedParts {
  readonly lens: Lens;
  readonly own: unknown;
  /** Of the devices before it, in the order of the lens: these parts, or those of snapshot.ts. */
  readonly formers: readonly unknown[];
}

/** Damage that a reader met in one of the devices of a view; 0 is the device itself, 1 the first before it. */
export interface ViewedDamage {
  readonly of: number;
  readonly what: unknown;
}

/** Returns a snapshot of a view. `devices` are those of `devicesOf`, in its order, and are used up. */
export function viewedSnapshot<T>(
  viewed: Viewed,
  devices: T[],
  snapshotOf: (device: T) => RecordSnapshot,
): RecordSnapshot {
  const own = snapshotOf(devices.shift()!);
  if (typeof viewed === 'string') return own;
  const formers = formersOf(viewed).map((former) => viewedSnapshot(former, devices, snapshotOf));
  const all = [own, ...formers];
  return {
    get parts(): ViewedParts {
      return { lens: viewed.lens, own: own.parts, formers: formers.map(({ parts }) => parts) };
    },
    damaged(damage) {
      const { of, what } = damage as ViewedDamage;
      return all[of]!.damaged(what);
    },
    async release() {
      for (const each of all) await each.release();
    },
  };
}
