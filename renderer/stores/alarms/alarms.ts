import type { AlarmFilter } from '#shared/domain/alarms.ts';
import type { Alarm, AlarmsOfAll } from '#shared/operations/metadata/alarms.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { may } from '../../bridge/distant.ts';
import { deviceOf, type DeviceKey } from '../devices.ts';
import { createResource } from '../resource.ts';

/** Alarms that are read at once; of more the newest. */
const MOST_ALARMS = 1_000;
const NONE: readonly Alarm[] = [];

/** Events that may change alarms of all projects that can be seen, or their names. */
function changesOfAll(_of: string, changed: () => void): () => void {
  const topics = ['alarms.changed', 'projects.changed', 'devices.changed', 'functions.changed'] as const;
  const stops = topics.map((topic) => bridge.subscribe(topic, changed));
  return () => stops.forEach((stop) => stop());
}

/**
 * The alarms that are to be seen: open, or seen by nobody. Read also while nobody looks at the window: what is raised
 * meanwhile is told. Null where the service has no such thing.
 */
export const dueAlarms = createResource<AlarmsOfAll | null, 'all'>({
  read: async () => (may('alarms.all') ? ask('alarms.all', { state: 'due', limit: MOST_ALARMS }) : null),
  changes: changesOfAll,
  restMs: 1_000,
});

/** Which alarms a list shows, as text. */
export type AlarmsAsked = `${AlarmFilter | 'all'}/${string}/${string}/${string}`;

/** Names alarms for `listedAlarms`; absent parts: of all. */
export const alarmsAsked = (
  state: AlarmFilter | 'all',
  { project = '', device = '', rule = '' },
): AlarmsAsked => `${state}/${project}/${device}/${rule}`;

export interface ListedAlarms {
  readonly alarms: readonly Alarm[];
  /** How many there are; null where that is not known. */
  readonly total: number | null;
}

/** Alarms of a list, the newest first, by `alarmsAsked`. */
export const listedAlarms = createResource<ListedAlarms, AlarmsAsked>({
  async read(of) {
    const [filter = 'due', project_id = '', device_id = '', function_id = ''] = of.split('/');
    const state = filter === 'all' ? {} : { state: filter as AlarmFilter };
    if (project_id === '') {
      const { alarms, total } = await ask('alarms.all', { ...state, limit: MOST_ALARMS });
      return { alarms, total };
    }
    const alarms = await ask('alarms.list', {
      project_id,
      ...(device_id !== '' && { device_id }),
      ...(function_id !== '' && { function_id }),
      ...state,
      limit: MOST_ALARMS,
    });
    return { alarms, total: alarms.length < MOST_ALARMS ? alarms.length : null };
  },
  changes: changesOfAll,
  restMs: 1_000,
});

/** The newest alarms of a device, for its chart, by `deviceKey`. */
export const deviceAlarms = createResource<readonly Alarm[], DeviceKey>({
  async read(of) {
    const { project_id, device_id } = deviceOf(of);
    if (!may('alarms.list')) return NONE;
    return ask('alarms.list', { project_id, device_id, limit: MOST_ALARMS });
  },
  changes: (of, changed) => bridge.subscribe('alarms.changed', changed, deviceOf(of)),
  restMs: 500,
});

type Counts = ReadonlyMap<string, number>;
const NO_COUNTS: Counts = new Map();
const known = new WeakMap<AlarmsOfAll, { readonly places: Counts; readonly rules: Counts }>();

function countsOf(all: AlarmsOfAll) {
  const before = known.get(all);
  if (before) return before;
  const places = new Map<string, number>();
  const rules = new Map<string, number>();
  for (const { state, project_id, device_id, function_id } of all.alarms) {
    if (state !== 'open') continue;
    for (const id of [project_id, device_id]) places.set(id, (places.get(id) ?? 0) + 1);
    rules.set(function_id, (rules.get(function_id) ?? 0) + 1);
  }
  const counts = { places, rules };
  known.set(all, counts);
  return counts;
}

/** How many alarms are open, by the ids of devices and projects. */
const openByPlace = (all: AlarmsOfAll | null): Counts => (all ? countsOf(all).places : NO_COUNTS);

/** How many alarms are open, by the id of the rule. */
export const openByRule = (all: AlarmsOfAll | null): Counts => (all ? countsOf(all).rules : NO_COUNTS);

/** How many alarms of a device or a project are open. */
export const useOpenAlarms = (id: string): number =>
  openByPlace(dueAlarms.useValue('all').value).get(id) ?? 0;
