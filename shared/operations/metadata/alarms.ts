import { z } from 'zod';
import { ACT_STATES, ALARM_EVENTS, ALARM_FILTERS, ALARM_STATES } from '../../domain/alarms.ts';
import { act } from '../../domain/rules.ts';
import { operation } from '../../schema/operation.ts';
import { inProject } from '../../schema/paths.ts';
import {
  checkOrder,
  count,
  id,
  jsonObject,
  MAX_PAGE_LIMIT,
  oneOf,
  optionalRange,
  text,
  timestamp,
  uuid,
  wholeNumber,
} from '../../schema/schemas.ts';

/* docs/functions.md, "Alarms": firings of rules on devices. */

const alarmAct = z
  .object({
    /** The same in each try, and of no other act. */
    key: z.string(),
    event: z.enum(ALARM_EVENTS),
    /** As the rule said it then. */
    act,
    state: z.enum(ACT_STATES),
    tries: count,
    /** When it is tried next; null where it is not. */
    next: timestamp.nullable(),
    /** What the last try met, or why there was none; null for nothing. */
    error: z.string().nullable(),
  })
  .meta({ id: 'AlarmAct' });
export type AlarmAct = Readonly<z.infer<typeof alarmAct>>;

const alarm = z
  .object({
    id: uuid,
    project_id: uuid,
    /** Names of the project and of the device. */
    project: z.string(),
    device_id: uuid,
    device: z.string(),
    function_id: uuid,
    /** Name of the rule, as it was then. */
    rule: z.string(),
    /** Of the rule, where it is still the one that raised the alarm; null where it was changed, or is gone. */
    condition: jsonObject.nullable(),
    /** Until when the acts of the rule are held back; null where they are not. */
    silenced_until: timestamp.nullable(),
    state: z.enum(ALARM_STATES),
    /** When the condition began to hold, when it had held for long enough, and when it ceased to; null while it holds. */
    start: timestamp,
    fired: timestamp,
    end: timestamp.nullable(),
    /** When the service knew of it, of a change of what it had said, and that there was nothing; null for never. */
    raised: timestamp,
    amended: timestamp.nullable(),
    withdrawn: timestamp.nullable(),
    /** `by`: the name of an API key, or "app"; `text`: "" for none. Null where nobody did. */
    acknowledged: z.object({ at: timestamp, by: z.string(), text: z.string() }).nullable(),
    /** In the order in which they were asked for. */
    acts: z.array(alarmAct),
  })
  .meta({ id: 'Alarm' });
export type Alarm = Readonly<z.infer<typeof alarm>>;

const alarmsOfAll = z
  .object({
    as_of: timestamp,
    /** Of all projects: alarms that are open, those that nobody has acknowledged, and those that are one or the other. */
    open: count,
    unacknowledged: count,
    due: count,
    /** How many are open, by the ids of their projects, devices and rules; what has none is not in it. */
    open_of: z.record(z.string(), count),
    /** How many have the state that was asked for. */
    total: count,
    /** Newest first. */
    alarms: z.array(alarm),
  })
  .meta({ id: 'AlarmsOfAll' });
export type AlarmsOfAll = Readonly<z.infer<typeof alarmsOfAll>>;

const alarmsPath = '/_local/v1/projects/:project_id/alarms';
const state = oneOf(ALARM_FILTERS).optional();
const limit = wholeNumber(1, MAX_PAGE_LIMIT).default(100);

export const alarmOperations = {
  'alarms.list': operation({
    method: 'GET',
    path: alarmsPath,
    permissions: ['admin'],
    action: 'get alarms',
    message: 'Alarms retrieved successfully.',
    description:
      'The alarms of a project, newest first: of a device, of a rule, in a state, or those that touch the span from `start` to `end`.',
    input: inProject
      .extend({
        device_id: id.optional(),
        function_id: id.optional(),
        state,
        ...optionalRange,
        page: wholeNumber(1, Number.MAX_SAFE_INTEGER).default(1),
        limit,
      })
      .superRefine(checkOrder),
    output: z.array(alarm),
  }),
  'alarms.all': operation({
    method: 'GET',
    path: '/_local/v1/alarms',
    permissions: ['admin'],
    action: 'get alarms of all projects',
    message: 'Alarms retrieved successfully.',
    description: 'The alarms of all projects that the key may see, newest first, and how many there are.',
    input: z.object({ state, limit }),
    output: alarmsOfAll,
  }),
  'alarms.acknowledge': operation({
    method: 'POST',
    path: `${alarmsPath}/:alarm_id/acknowledge`,
    permissions: ['admin'],
    action: 'acknowledge alarm',
    message: 'Alarm acknowledged successfully.',
    description:
      'Says that somebody has seen an alarm, in words where there are any. The last one to say so stands there.',
    input: inProject.extend({ alarm_id: id, text: text(0, 500).default('') }),
    output: alarm,
  }),
} as const;
