import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import type { DeviceSummary } from '#shared/operations/metadata/devices.ts';
import { ask } from '../../bridge/ask.ts';

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
  readonly keys: string;
}

/** By device: the keys that were asked about, and which of them are booleans. */
type Known = ReadonlyMap<string, { readonly keys: string; readonly booleans: readonly string[] }>;
const useKnown = create<{ readonly of: Known }>(() => ({ of: new Map() }));

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
  const all = useMemo(
    () => devices.map((device) => ({ ...device, keys: keysOf(device.summary) })),
    [devices],
  );
  const unknown = all.filter(({ device_id, keys }) => keys !== '[]' && known.get(device_id)?.keys !== keys);
  const waiting = JSON.stringify(
    unknown.map(({ project_id, device_id, keys }): Waiting => ({ project_id, device_id, keys })),
  );
  useEffect(() => {
    const asked = JSON.parse(waiting) as readonly Waiting[];
    if (asked.length === 0) return;
    const given = new AbortController();
    const put = (found: readonly (readonly string[])[]) => {
      if (given.signal.aborted) return;
      const before = useKnown.getState().of;
      const now = new Map(before.size + asked.length > MOST_DEVICES ? [] : before);
      for (const [index, { device_id, keys }] of asked.entries())
        now.set(device_id, { keys, booleans: found[index] ?? [] });
      useKnown.setState({ of: now });
    };
    // Where the service is gone the chart itself says so.
    const each = asked.map((device) => booleansOf(device, given.signal).catch(() => []));
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

/** Keys whose newest values are booleans and nothing else. */
async function booleansOf(
  { project_id, device_id }: Device,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const newest = { page: 1, limit: LOOKED_INTO, range: 'all' } as const;
  const records = await ask('data.list', { project_id, device_id, ...newest }, { signal });
  const kinds = new Map<string, string>();
  for (const record of records)
    for (const [key, value] of Object.entries(record))
      kinds.set(key, (kinds.get(key) ?? typeof value) === typeof value ? typeof value : 'several');
  return [...kinds].flatMap(([key, kind]) => (kind === 'boolean' ? key : []));
}

/** One that was told before stays the same one: what is drawn hangs on it. */
const apart = new WeakMap<
  DeviceSummary,
  { readonly booleans: readonly string[]; readonly told: DeviceSummary }
>();

function without(summary: DeviceSummary, booleans: readonly string[]): DeviceSummary {
  if (booleans.length === 0) return summary;
  const before = apart.get(summary);
  if (before?.booleans === booleans) return before.told;
  const keys = summary.keys.map((one) => (booleans.includes(one.key) ? { ...one, numeric: 0 } : one));
  const told = { ...summary, keys };
  apart.set(summary, { booleans, told });
  return told;
}
