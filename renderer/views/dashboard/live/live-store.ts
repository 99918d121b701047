import type { FoundDevice, FoundValue } from '#shared/operations/metadata/devices.ts';
import { askedBy, type LiveGroup, type LiveSource } from '../../../stores/dashboard/live-groups.ts';
import type { Resource } from '../../../stores/resource.ts';

/** What is known of a source. */
export interface Live {
  /** Null while it is not known, and of a device that is not there. */
  readonly device: FoundDevice | null;
  /** Null where the device has stored none of the key. */
  readonly value: FoundValue | null;
  /** Whether it was asked. */
  readonly isKnown: boolean;
  /** Why it cannot be asked; null where it can. */
  readonly error: string | null;
}

/** Source that was not asked yet. */
export const UNKNOWN: Live = { device: null, value: null, isKnown: false, error: null };

const nameOf = ({ device_id, key }: LiveSource) => `${device_id} ${key}`;

/** Last values of a dashboard's sources. What is as it was stays the same object. */
export class LiveStore {
  readonly #known = new Map<string, { readonly text: string; readonly live: Live }>();
  readonly #listeners = new Set<() => void>();

  of(source: LiveSource): Live {
    return this.#known.get(nameOf(source))?.live ?? UNKNOWN;
  }

  /** Takes what is known of groups of sources. */
  learn(groups: Iterable<readonly [LiveGroup, Resource<readonly FoundDevice[]>]>): void {
    let isNews = false;
    for (const [group, { value: found, error }] of groups) {
      if (found === null && error === null) continue;
      const { key, ids } = askedBy(group);
      const devices = new Map((found ?? []).map((device) => [device.id, device]));
      for (const device_id of ids) {
        const device = devices.get(device_id) ?? null;
        const value = device?.values.find((one) => one.key === key) ?? null;
        isNews = this.#put({ device_id, key }, { device, value, isKnown: found !== null, error }) || isNews;
      }
    }
    if (isNews) for (const listener of this.#listeners) listener();
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #put(source: LiveSource, live: Live): boolean {
    const name = nameOf(source);
    const text = JSON.stringify(live);
    if (this.#known.get(name)?.text === text) return false;
    this.#known.set(name, { text, live });
    return true;
  }
}
