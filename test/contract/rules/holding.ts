import { randomUUID } from 'node:crypto';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { machineClock } from '#core/base/machine-clock.ts';
import { parseInstant } from '#shared/values/time.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';
import { dataOf, RECORDS, type World } from '../world.ts';

/** What holds from the first record of a world's device on. */
export const HOLDING = { when: { key: 'temperature', above: 20 } } as const;
/** When it began to hold. */
export const SINCE_RECORDS = RECORDS[0]?.timestamp ?? '';

/** A rule, and its alarm that is open. */
export interface Holding {
  readonly rule_id: string;
  readonly alarm_id: string;
  readonly note_id: string;
}

/**
 * Inserts a rule that holds, with the alarm that it has raised, a note of that, and a webhook that was called: what a service finds at
 * its start. By a tag where one is given.
 */
export async function insertHolding(
  { metadata }: Pick<RunningService, 'metadata'>,
  { project_id, device_id }: Pick<World, 'project_id' | 'device_id'>,
  { tag, name = 'Too hot' }: { readonly tag?: string; readonly name?: string } = {},
): Promise<Holding> {
  const [rule_id, alarm_id, note_id] = [randomUUID(), randomUUID(), randomUUID()];
  const now = machineClock.wallMs() * 1000;
  const start = parseInstant(SINCE_RECORDS) ?? 0;
  const acts = [{ do: 'note' }, { do: 'webhook', url: 'https://example.org/alarms' }] as const;
  const alarm = anAlarm(alarm_id, { project_id, device_id, function_id: rule_id });
  await metadata.change(async (tables) => {
    await tables.insert('functions', {
      id: rule_id,
      project_id,
      device_id: tag === undefined ? device_id : null,
      name,
      type: 'rule',
      enabled: true,
      script: null,
      condition: { ...HOLDING, acts: [...acts], ...(tag !== undefined && { devices: { tag } }) },
      since: now,
      created: now,
    });
    await tables.insert('notes', {
      id: note_id,
      project_id,
      device_id,
      start,
      end: null,
      text: name,
      author: 'rule',
      created: now,
    });
    await tables.insert('alarms', {
      ...alarm,
      name,
      since: now,
      start,
      fired: start,
      end: null,
      raised: now,
      acts: acts.map((act, i) => ({
        key: `${alarm_id}/${i}/raised`,
        event: 'raised',
        act,
        state: 'done',
        tries: 1,
        next: null,
        error: null,
        ...(act.do === 'note' && { note_id }),
      })),
      created: now,
    });
  });
  return { rule_id, alarm_id, note_id };
}

type Asked = Pick<RunningService, 'request'>;

/** All alarms of a project, the newest first. */
export const alarmsOf = async (service: Asked, project_id: string, query = ''): Promise<readonly Alarm[]> =>
  (await dataOf(
    service,
    'GET',
    `/_local/v1/projects/${project_id}/alarms${query}`,
  )) as unknown as readonly Alarm[];

/** An alarm of a project; undefined where it is not there. */
export const alarmOf = async (
  service: Asked,
  project_id: string,
  alarm_id: string,
): Promise<Alarm | undefined> => (await alarmsOf(service, project_id)).find(({ id }) => id === alarm_id);

export const functionsOf = async (service: Asked, project_id: string): Promise<readonly DeviceFunction[]> =>
  (await dataOf(
    service,
    'GET',
    `/_local/v1/projects/${project_id}/functions`,
  )) as unknown as readonly DeviceFunction[];
