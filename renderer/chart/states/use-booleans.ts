import { useEffect, useState } from 'react';
import type { DeviceSummary } from '#shared/operations/devices.ts';
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

/** By device: the keys that were asked about, and which of them are booleans. */
const known = new Map<string, { readonly keys: string; readonly booleans: readonly string[] }>();

const keysOf = ({ keys }: DeviceSummary) =>
  JSON.stringify(keys.flatMap(({ key, numeric }) => (numeric > 0 ? key : [])));

/** The summary with booleans told from numbers, as `textsOf` reads it; null until it is known which they are. */
export function useBooleansApart(
  { project_id, device_id }: Device,
  summary: DeviceSummary,
): DeviceSummary | null {
  const [, setAsked] = useState(0);
  const keys = keysOf(summary);
  const before = known.get(device_id);
  const isKnown = keys === '[]' || before?.keys === keys;
  useEffect(() => {
    if (isKnown) return;
    const given = new AbortController();
    const put = (booleans: readonly string[]) => {
      if (given.signal.aborted) return;
      if (known.size >= MOST_DEVICES) known.clear();
      known.set(device_id, { keys, booleans });
      setAsked((times) => times + 1);
    };
    // Where the service is gone the chart itself says so.
    booleansOf({ project_id, device_id }, given.signal).then(put, () => put([]));
    return () => given.abort();
  }, [project_id, device_id, keys, isKnown]);
  if (keys === '[]') return summary;
  return before ? without(summary, before.booleans) : null;
}

/** Keys whose newest values are booleans and nothing else. */
async function booleansOf(device: Device, signal: AbortSignal): Promise<readonly string[]> {
  const newest = { page: 1, limit: LOOKED_INTO, range: 'all' } as const;
  const records = await ask('data.list', { ...device, ...newest }, { signal });
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
