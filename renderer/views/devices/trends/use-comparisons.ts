import { useEffect, useEffectEvent, useMemo } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { useMay } from '../../../bridge/distant.ts';
import { deviceMatcher, type DeviceFilter } from '../shown/device-filter.ts';
import { compareAll, NOT_COMPARED, type Compared } from './compared.ts';
import { subjectName, useTrends, wantLevels, type Level } from './trends.ts';

/** So many devices are compared unasked: reading the last day of more would be felt by who asks the service something else. */
const MOST_UNASKED = 1_000;
const LOOK_AGAIN_MS = 15_000;

interface Of {
  readonly project_id: string;
  readonly keys: readonly string[];
  readonly devices: readonly FoundDevice[];
  readonly filter: DeviceFilter;
  /** Key by which somebody wants to have them compared, however many there are. */
  readonly asked: string | null;
}

/** Compares the devices that tags and source of the filter leave, among themselves, by each of the keys. */
export function useComparisons(of: Of): ReadonlyMap<string, Compared> {
  const { project_id, keys, devices, filter, asked } = of;
  const mayRead = useMay('series.trends');
  const wanted = devices.length <= MOST_UNASKED ? keys : keys.filter((key) => key === asked);
  // Which devices there are is looked at, not each record that they store.
  const named = JSON.stringify({ project_id, keys: mayRead ? wanted : [], count: devices.length });
  const look = useEffectEvent((subjects: Pick<Of, 'project_id' | 'keys'>) => {
    const stored = devices.filter(({ newest }) => newest !== null);
    for (const key of subjects.keys) wantLevels({ project_id: subjects.project_id, key }, stored);
  });
  useEffect(() => {
    const subjects = JSON.parse(named) as Pick<Of, 'project_id' | 'keys'>;
    if (subjects.keys.length === 0) return;
    look(subjects);
    const timer = setInterval(() => look(subjects), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [named]);

  const levels = useTrends((known) => known.levels);
  const alike = JSON.stringify(filter.conditions.filter(({ field }) => field !== 'status'));
  // Without conditions nothing has to be gone through anew when a device stores something.
  const among = alike === NO_CONDITIONS ? null : devices;
  return useMemo(() => {
    const byKey = new Map<string, Compared>();
    for (const key of keys) {
      const known = levels.get(subjectName({ project_id, key }));
      if (!known) continue;
      const { all, seen, left } = known;
      const compared = all ? comparedOf(all, among, alike) : NOT_COMPARED;
      byKey.set(key, { ...compared, scale: compared.scale ?? seen, left });
    }
    return byKey;
  }, [keys, levels, project_id, among, alike]);
}

const NO_CONDITIONS = '[]';

/** What was compared last: of the same levels the same comes out. */
const last = new WeakMap<
  ReadonlyMap<string, Level>,
  { readonly among: readonly FoundDevice[] | null; readonly alike: string; readonly compared: Compared }
>();

function comparedOf(
  all: ReadonlyMap<string, Level>,
  among: readonly FoundDevice[] | null,
  alike: string,
): Compared {
  const before = last.get(all);
  if (before?.among === among && before.alike === alike) return before.compared;
  const compared = compareAll(among ? levelsOf(all, among, alike) : all);
  last.set(all, { among, alike, compared });
  return compared;
}

function levelsOf(all: ReadonlyMap<string, Level>, devices: readonly FoundDevice[], alike: string) {
  const conditions = JSON.parse(alike) as DeviceFilter['conditions'];
  // Tags and sources are the same at any time.
  const isAlike = deviceMatcher({ conditions, words: '' }, 0);
  const levels = new Map<string, Level>();
  for (const device of devices) {
    const level = all.get(device.id);
    if (level && isAlike(device)) levels.set(device.id, level);
  }
  return levels;
}
