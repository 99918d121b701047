import { z } from 'zod';
import { ACT_STATES, ALARM_EVENTS } from '../../domain/alarms.ts';
import { act } from '../../domain/rules.ts';
import { operation } from '../../schema/operation.ts';
import {
  functionFields,
  instant,
  jsonObject,
  text,
  widgetFields,
  wholeNumberInBody,
} from '../../schema/schemas.ts';
import { inProject } from '../../schema/paths.ts';
import { dataKey, keySettings } from '../metadata/key-settings.ts';
import { when, words } from '../metadata/notes.ts';

/* docs/local-api.md, "Sync": rows of a project and of its devices, as another Fieldbench hands them over. */

/** Kinds of rows that are merged, in the order in which they are. */
export const ROW_KINDS = ['functions', 'key_settings', 'notes', 'widgets', 'alarms'] as const;
export type RowKind = (typeof ROW_KINDS)[number];

/** Rows of one request. */
export const MOST_ROWS = 1000;

const device_id = z.string('must be the id of a device');

/** Acts of an alarm. */
const MOST_ACTS = 1000;
const actsRule = `must be an array of at most ${MOST_ACTS} acts`;
const sentAct = z.object(
  {
    key: text(1, 500),
    event: z.enum(ALARM_EVENTS),
    act,
    state: z.enum(ACT_STATES),
    tries: wholeNumberInBody(0, Number.MAX_SAFE_INTEGER),
    error: z.string('must be text').nullable(),
    /** Of a note: its id. */
    note_id: text(1, 200).optional(),
  },
  'must be {key, event, act, state, tries, error}',
);

/** Content of a row by its kind. Times are ISO 8601. */
export const SAID_ROWS = {
  functions: z.object({
    device_id: device_id.nullable(),
    name: functionFields.name,
    type: functionFields.type,
    enabled: functionFields.enabled,
    script: functionFields.script.nullable(),
    condition: jsonObject.nullable(),
    /** Of a rule that is made: until when its acts are held back. */
    silenced: instant.nullable(),
  }),
  key_settings: keySettings.extend({ device_id, key: dataKey }),
  notes: z.object({
    device_id,
    start: when,
    end: when.nullable(),
    text: words,
    author: text(0, 1000),
    created: instant,
  }),
  widgets: z.object(widgetFields),
  alarms: z.object({
    device_id,
    function_id: text(1, 200),
    name: text(0, 200),
    /** Version of the rule there, and whether the rule is still that one, and the one that is here. */
    since: instant,
    current: z.boolean('must be true or false'),
    start: instant,
    fired: instant,
    end: instant.nullable(),
    raised: instant,
    amended: instant.nullable(),
    withdrawn: instant.nullable(),
    acknowledged: z
      .object({ at: instant, by: text(0, 1000), text: text(0, 1000) }, 'must be {at, by, text}')
      .nullable(),
    acts: z.array(sentAct, actsRule).max(MOST_ACTS, actsRule),
  }),
} as const satisfies Record<RowKind, z.ZodType>;
export type SaidRow<Kind extends RowKind> = z.output<(typeof SAID_ROWS)[Kind]>;

const rowsRule = `must be an array of at most ${MOST_ROWS} rows`;
const markRule = 'must be a mark of 16 characters of 0-9 and a-f';
const mark = z.string(markRule).regex(/^[0-9a-f]{16}$/, markRule);

const sentRow = z.object(
  {
    /** A service of a later version may send others, which are refused one by one. */
    kind: text(1, 50),
    id: text(1, 200),
    /** Mark of what the row says. */
    mark,
    /** Mark of what it said when both sides last had the same; null where they never had. */
    base: mark.nullable(),
    /** Absent of a row that is only compared. */
    says: jsonObject.optional(),
  },
  'must be {kind, id, mark, base, says?}',
);
export type SentRow = z.input<typeof sentRow>;
export type TakenRow = z.output<typeof sentRow>;

const judgedRules = `must be an array of at most ${MOST_ROWS} rules, each {function_id, ahead}`;
const judgedRule = z.object(
  { function_id: text(1, 200), ahead: z.object({ start: instant, end: instant }).nullable() },
  'must be {function_id, ahead}',
);

/** Until when rules were judged on a device elsewhere, and their acts done. */
const judgedElsewhere = z.object(
  {
    device_id,
    at: instant,
    /** Rules, each with the span of what it said of times after `at`, by a clock that is ahead; null for none. */
    rules: z.array(judgedRule, judgedRules).max(MOST_ROWS, judgedRules),
  },
  'must be {device_id, at, rules}',
);
export type JudgedElsewhere = z.output<typeof judgedElsewhere>;

/**
 * What became of a row. `present`: it is here, alike; `conflicting`: what is here stays; `removed`: it was removed here, and stays out;
 * `needed`: it is to be added or changed, and its content was not sent.
 */
const ROW_OUTCOMES = ['added', 'changed', 'present', 'conflicting', 'removed', 'needed', 'refused'] as const;
const rowOutcome = z.object({
  outcome: z.enum(ROW_OUTCOMES),
  /** Why it is refused; null where it is not. */
  reason: z.string().nullable(),
});
export type RowOutcome = Readonly<z.output<typeof rowOutcome>>;

export const rowsOperation = operation({
  method: 'POST',
  path: '/_local/v1/projects/:project_id/sync/rows',
  permissions: ['admin'],
  action: 'merge rows',
  message: 'Rows merged successfully.',
  description:
    'Merges functions, settings of keys, notes, widgets and alarms of another Fieldbench, each by itself: what is lacking is added under its id, what was changed there alone since both had the same is changed here. Of what was changed here what is here stays, and what was removed here stays out. With `dry_run` nothing is changed.',
  input: inProject.extend({
    rows: z.array(sentRow, rowsRule).max(MOST_ROWS, rowsRule),
    judged: judgedElsewhere.optional(),
    dry_run: z.boolean('must be true or false').default(false),
  }),
  output: z
    .object({
      /** Of the rows, in their order. */
      outcomes: z.array(rowOutcome),
    })
    .meta({ id: 'MergedRows' }),
});
