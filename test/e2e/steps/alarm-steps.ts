import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Alarm, AlarmAct, AlarmsOfAll } from '#shared/operations/metadata/alarms.ts';
import type { Api } from '../api.ts';
import { answerOf, type Answered } from './socket-steps.ts';
import { makeDevice, makeProject, type DeviceIds } from './steps.ts';

/* A service whose alarms are a story's own, for the console. */

const NOW = Date.now();
export const time = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

export const act = (more: Partial<AlarmAct> = {}): AlarmAct => ({
  key: randomUUID(),
  event: 'raised',
  act: { do: 'notify', sound: true },
  state: 'done',
  tries: 1,
  next: null,
  error: null,
  ...more,
});

export const alarm = (of: DeviceIds, seconds: number, more: Partial<Alarm> = {}): Alarm => ({
  id: randomUUID(),
  ...of,
  project: 'Boiler room',
  device: 'Boiler 1',
  function_id: '3f1a1c7e-0000-4000-8000-000000000001',
  rule: 'Boiler too hot',
  condition: { when: { key: 'supply', above: 85 }, for_s: 600 },
  silenced_until: null,
  state: 'open',
  start: time(seconds - 600),
  fired: time(seconds),
  end: null,
  raised: time(seconds),
  amended: null,
  withdrawn: null,
  acknowledged: null,
  acts: [],
  ...more,
});

interface Story extends Answered {
  alarms: Alarm[];
}

const isDue = ({ state, acknowledged }: Alarm) => state === 'open' || acknowledged === null;

function openOf(alarms: readonly Alarm[]): Record<string, number> {
  const ids = alarms.flatMap(({ project_id, device_id, function_id }) => [
    project_id,
    device_id,
    function_id,
  ]);
  return Object.fromEntries(ids.map((id) => [id, ids.filter((other) => other === id).length]));
}

/** A service with these alarms, which can be acknowledged. */
export async function tellStory(page: Page, first: readonly Alarm[]): Promise<Story> {
  const held = { alarms: [...first] };
  const shown = (state: string | undefined) =>
    held.alarms.filter((one) => (state === 'due' ? isDue(one) : state === undefined || one.state === state));
  const answered = await answerOf(page, {
    'alarms.all': ({ state, limit }): AlarmsOfAll => ({
      as_of: new Date().toISOString(),
      open: shown('open').length,
      unacknowledged: held.alarms.filter(({ acknowledged }) => acknowledged === null).length,
      due: shown('due').length,
      open_of: openOf(shown('open')),
      total: shown(state).length,
      alarms: shown(state).slice(0, Number(limit ?? 100)),
    }),
    'alarms.list': ({ device_id, function_id, state }) =>
      shown(state).filter(
        (one) =>
          (device_id === undefined || one.device_id === device_id) &&
          (function_id === undefined || one.function_id === function_id),
      ),
    'alarms.acknowledge': ({ alarm_id, text = '' }) => {
      const at = held.alarms.findIndex(({ id }) => id === alarm_id);
      const before = held.alarms[at];
      if (!before) return new Error('There is no such alarm.');
      if (text === 'refuse') return new Error('text must be of another kind');
      const after = { ...before, acknowledged: { at: new Date().toISOString(), by: 'app', text } };
      held.alarms[at] = after;
      return after;
    },
  });
  return Object.assign(held, answered);
}

/** Makes the device that the alarms are of. */
export async function place(api: Api): Promise<DeviceIds> {
  const project_id = await makeProject(api, 'Boiler room');
  const { device_id } = await makeDevice(api, project_id, 'Boiler 1');
  return { project_id, device_id };
}

/** Rows of the list of alarms, with its head. */
export const rows = (page: Page) => page.getByRole('table', { name: 'Alarms' }).getByRole('row');
