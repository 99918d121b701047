import { ALARM_FILTERS } from '#shared/domain/alarms.ts';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { alternatives } from '#shared/values/text.ts';
import { UsageError } from '../../base/errors.ts';
import { projectOf, SCOPE_FLAGS, SCOPE_FLAGS_HELP, scopeOf } from '../names/look-up.ts';
import { oneOf } from '../parse.ts';
import { deviceOf } from './devices.ts';
import { columns, nounCommand } from './noun-command.ts';

/** Alarms of one answer. */
const PAGE = 10_000;

export const list = nounCommand({
  flags: { ...SCOPE_FLAGS, state: { type: 'string' } },
  help: `  --state S           ${alternatives(ALARM_FILTERS)}: those that are open, or that nobody acknowledged
${SCOPE_FLAGS_HELP}`,
  example: 'alarms list --state due',
  async run({ ask, names, values }) {
    const state = values.state === undefined ? {} : { state: oneOf('state', values.state, ALARM_FILTERS) };
    const { project_id, device_id } =
      values.device === undefined ? await scopeOf(names, values) : await deviceOf(names, values);
    const found: Alarm[] = [];
    if (project_id === undefined) found.push(...(await ask('alarms.all', { ...state, limit: PAGE })).alarms);
    else
      for (let page = 1; ; page++) {
        const some = await ask('alarms.list', {
          ...state,
          project_id,
          ...(device_id !== undefined && { device_id }),
          page,
          limit: PAGE,
        });
        found.push(...some);
        if (some.length < PAGE) break;
      }
    return { data: found, lines: columns(found.map(rowOf)) };
  },
});

export const acknowledge = nounCommand({
  word: 'the ID of an alarm',
  flags: { project: { type: 'string' }, text: { type: 'string' } },
  help: `  ID                  as alarms list says it
  --text TEXT         what is to be said of it
  --project P         its project, by its name or its id; else it is looked for`,
  example: 'alarms acknowledge 4bdeaaa4-6a0f-4c39-8f7c-2f6a1d7b9c01 --text "valve replaced"',
  async run({ ask, names, word, values }) {
    const { project, text } = values;
    const project_id =
      project === undefined
        ? projectHaving(word, (await ask('alarms.all', { limit: PAGE })).alarms)
        : await projectOf(names, project);
    const input = { project_id, alarm_id: word, ...(text !== undefined && { text }) };
    const alarm = await ask('alarms.acknowledge', input, { text: 'text' });
    return { data: alarm, lines: [`Acknowledged: ${nameOf(alarm)}.`] };
  },
});

function projectHaving(id: string, alarms: readonly Alarm[]): string {
  const found = alarms.find((alarm) => alarm.id === id);
  if (found) return found.project_id;
  throw new UsageError(
    `alarms acknowledge takes the id of an alarm: none of the newest ${PAGE} has the id ${id}; --project looks for older ones.`,
  );
}

const rowOf = (alarm: Alarm): string[] => [
  alarm.id,
  alarm.state,
  alarm.start,
  alarm.end ?? 'now',
  alarm.acknowledged === null ? 'not seen' : `seen by ${alarm.acknowledged.by}`,
  nameOf(alarm),
];

const nameOf = ({ project, device, rule }: Alarm): string => `${project}/${device}: ${rule}`;
