import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { useConnection } from '../../bridge/connection.ts';

/* Booleans are states, as texts are; a summary counts them as numbers. */

/** Records that are looked into: a key seldom becomes another kind. */
const LOOKED_INTO = 100;
/** Devices that are remembered. */
const MOST_DEVICES = 100;

interface Device {
  readonly project_id: string;
  readonly device_id: string;
}

interface Waiting extends Device {
  readonly version: string;
}

interface Told {
  /** That of which it was asked; null: it could not be read, or may be otherwise by now. */
  readonly version: string | null;
  /** The keys that are booleans, as JSON. */
  readonly booleans: string;
}

/** By device. */
const useKnown = create<{ readonly of: ReadonlyMap<string, Told> }>(() => ({ of: new Map() }));

// A decoder that was mended makes another kind of what is stored, whether or not somebody looks at it.
bridge.subscribe('records.removed', ({ device_id }) => {
  const { of } = useKnown.getState();
  const told = of.get(device_id);
  if (told) useKnown.setState({ of: new Map(of).set(device_id, { ...told, version: null }) });
});

const keysOf = ({ keys }: DeviceSummary) =>
  JSON.stringify(keys.flatMap(({ key, numeric }) => (numeric > 0 ? key : [])));

/** The summary with booleans told from numbers, as `textsOf` reads it; null until it is known which they are. */
export function useBooleansApart(
  { project_id, device_id }: Device,
  summary: DeviceSummary,
): DeviceSummary | null {
  const one = useMemo(() => [{ project_id, device_id, summary }], [project_id, device_id, summary]);
  return useBooleansApartOfEach(one)[0] ?? null;
}

/** The same of several devices, in their order; the list stays the same one while `devices` does and nothing new is known. */
export function useBooleansApartOfEach(
  devices: readonly (Device & { readonly summary: DeviceSummary })[],
): readonly (DeviceSummary | null)[] {
  const known = useKnown(({ of }) => of);
  const made = useConnection((connection) => connection.made);
  const all = useMemo(
    () => devices.map((device) => ({ ...device, keys: keysOf(device.summary) })),
    [devices],
  );
  const waiting = JSON.stringify(
    all.flatMap(({ project_id, device_id, keys }): readonly Waiting[] => {
      const version = `${made} ${keys}`;
      const isKnown = keys === '[]' || known.get(device_id)?.version === version;
      return isKnown ? [] : [{ project_id, device_id, version }];
    }),
  );
  useEffect(() => {
    const asked = JSON.parse(waiting) as readonly Waiting[];
    if (asked.length === 0) return;
    const given = new AbortController();
    const put = (found: readonly (Told | null)[]) => {
      if (given.signal.aborted) return;
      const before = useKnown.getState().of;
      const now = new Map(before.size + asked.length > MOST_DEVICES ? [] : before);
      for (const [index, { device_id }] of asked.entries()) {
        const unread = { version: null, booleans: before.get(device_id)?.booleans ?? '[]' };
        now.set(device_id, found[index] ?? unread);
      }
      useKnown.setState({ of: now });
    };
    const each = asked.map(async (device): Promise<Told | null> => {
      try {
        return { version: device.version, booleans: await booleansOf(device, given.signal) };
      } catch {
        // Where the service is gone the chart itself says so.
        return null;
      }
    });
    void Promise.all(each).then(put);
    return () => given.abort();
  }, [waiting]);
  return useMemo(
    () =>
      all.map(({ device_id, keys, summary }) => {
        if (keys === '[]') return summary;
        const before = known.get(device_id);
        return before ? without(summary, before.booleans) : null;
      }),
    [all, known],
  );
}

/** Keys whose newest values are booleans and nothing else, as JSON. */
async function booleansOf({ project_id, device_id }: Device, signal: AbortSignal): Promise<string> {
  const newest = { page: 1, limit: LOOKED_INTO, range: 'all' } as const;
  const records = await ask('data.list', { project_id, device_id, ...newest }, { signal });
  const kinds = new Map<string, string>();
  for (const record of records)
    for (const [key, value] of Object.entries(record))
      kinds.set(key, (kinds.get(key) ?? typeof value) === typeof value ? typeof value : 'several');
  return JSON.stringify([...kinds].flatMap(([key, kind]) => (kind === 'boolean' ? key : [])).toSorted());
}

/** One that was told before stays the same one: what is drawn hangs on it. */
const apart = new WeakMap<DeviceSummary, { readonly booleans: string; readonly told: DeviceSummary }>();

function without(summary: DeviceSummary, booleans: string): DeviceSummary {
  if (booleans === '[]') return summary;
  const before = apart.get(summary);
  if (before?.booleans === booleans) return before.told;
  const names = JSON.parse(booleans) as readonly string[];
  const keys = summary.keys.map((one) => (names.includes(one.key) ? { ...one, numeric: 0 } : one));
  const told = { ...summary, keys };
  apart.set(summary, { booleans, told });
  return told;
}
