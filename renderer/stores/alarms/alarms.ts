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

/** How many alarms of a project, a device or a rule are open. */
export const openOf = (all: AlarmsOfAll | null, id: string): number => all?.open_of[id] ?? 0;

/** The same, kept fresh, of a device or a project. */
export const useOpenAlarms = (id: string): number => openOf(dueAlarms.useValue('all').value, id);
