import { useEffect, useMemo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/devices.ts';
import { ask } from '../../../bridge/ask.ts';
import { compareNames } from '../../../order.ts';

/** Devices that are asked for all their keys; of those that show the same ones, one is enough. */
const MOST_ASKED = 40;
/** At a time. */
const AT_ONCE = 8;

/**
 * Every key that the devices of a project have, by name, asked for once `isWanted`: a list shows the last values of three
 * keys a device, and of those alone that were chosen. Until they are known, those that were seen.
 */
export function useProjectKeys(
  project_id: string,
  devices: readonly FoundDevice[],
  isWanted: boolean,
): { readonly keys: readonly string[]; readonly isLoading: boolean } {
  const [asked, setAsked] = useState<{ readonly of: string; readonly keys: readonly string[] } | null>(null);
  const ids = useMemo(() => JSON.stringify(isWanted ? unlike(devices) : []), [devices, isWanted]);
  const of = `${project_id} ${ids}`;
  useEffect(() => {
    const waiting = JSON.parse(ids) as string[];
    if (waiting.length === 0) return;
    const given = new AbortController();
    readKeys(project_id, waiting, given.signal).then(
      (keys) => setAsked({ of, keys }),
      // What is seen is offered; that the service is gone is said above.
      () => !given.signal.aborted && setAsked({ of, keys: [] }),
    );
    return () => given.abort();
  }, [project_id, ids, of]);
  const keys = useMemo(() => {
    const seen = devices.flatMap(({ values }) => values.map(({ key }) => key));
    return [...new Set([...seen, ...(asked?.keys ?? [])])].toSorted(compareNames);
  }, [devices, asked]);
  return { keys, isLoading: isWanted && asked === null && ids !== '[]' };
}

/** Devices that show different keys, then others, as many as are asked. */
function unlike(devices: readonly FoundDevice[]): readonly string[] {
  const firsts = new Map<string, string>();
  for (const { id, values } of devices) {
    const shown = JSON.stringify(values.map(({ key }) => key));
    if (!firsts.has(shown)) firsts.set(shown, id);
  }
  return [...new Set([...firsts.values(), ...devices.map(({ id }) => id)])].slice(0, MOST_ASKED);
}

async function readKeys(
  project_id: string,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const lists = await Promise.all(
      some.map((device_id) => ask('data.keys', { project_id, device_id }, { signal })),
    );
    for (const key of lists.flat()) found.add(key);
  }
  return [...found];
}
