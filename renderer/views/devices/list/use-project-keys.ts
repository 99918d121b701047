import { useEffect, useMemo, useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { ProjectKeys } from '#shared/operations/metadata/projects.ts';
import { ask } from '../../../bridge/ask.ts';
import { compareNames } from '../../../order.ts';

const NONE: ProjectKeys = { keys: [], complete: true };

/**
 * Every key that the devices of a project have, by name: a list shows the last values of three keys a device, and of those
 * alone that were chosen. Until they are known, those that were seen.
 */
export function useProjectKeys(
  project_id: string,
  devices: readonly FoundDevice[],
): { readonly keys: readonly string[]; readonly isLoading: boolean; readonly isWhole: boolean } {
  const [asked, setAsked] = useState<(ProjectKeys & { readonly of: string }) | null>(null);
  const known = asked?.of === project_id ? asked : null;
  useEffect(() => {
    const given = new AbortController();
    ask('projects.keys', { project_id }, { signal: given.signal }).then(
      (found) => setAsked({ ...found, of: project_id }),
      // What is seen is offered; that the service is gone is said above.
      () => !given.signal.aborted && setAsked({ ...NONE, of: project_id }),
    );
    return () => given.abort();
  }, [project_id]);
  const keys = useMemo(() => {
    const seen = devices.flatMap(({ values }) => values.map(({ key }) => key));
    return [...new Set([...seen, ...(known?.keys ?? [])])].toSorted(compareNames);
  }, [devices, known]);
  return { keys, isLoading: known === null, isWhole: known?.complete ?? true };
}
