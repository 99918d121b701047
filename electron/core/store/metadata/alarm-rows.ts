import { z } from 'zod';
import { ACT_STATES, ALARM_EVENTS } from '#shared/domain/alarms.ts';
import type { Act } from '#shared/domain/rules.ts';

/* Rows of alarms (docs/storage-format.md, "Metadata"): each firing of a rule on a device, with the acts that it asked for. */

const id = z.string().min(1);
const micros = z.int();

const act: z.ZodType<Act> = z.discriminatedUnion('do', [
  z.object({ do: z.literal('note') }),
  z.object({ do: z.literal('notify'), sound: z.boolean().optional() }),
  z.object({ do: z.literal('webhook'), url: z.string() }),
  z.object({ do: z.literal('mqtt') }),
  z.object({ do: z.literal('mail'), to: z.array(z.string()) }),
]);

const alarmAct = z.object({
  /** The same in each try, and of no other act. */
  key: id,
  event: z.enum(ALARM_EVENTS),
  /** As the rule said it then. */
  act,
  state: z.enum(ACT_STATES),
  tries: z.int().min(0),
  /** When it is tried next; null where it is not. */
  next: micros.nullable(),
  /** Error of the last try, or why there was none; null for nothing. */
  error: z.string().nullable(),
  /** Of a note: its id. */
  note_id: id.optional(),
});
/** An act of an alarm. */
export type StoredAct = Readonly<z.infer<typeof alarmAct>>;

/** Rule whose acts another service did: of what happened up to `at`, and, by a clock that was ahead, in `ahead`. */
export const toldRule = z.object({
  function_id: id,
  at: micros,
  ahead: z.object({ start: micros, end: micros }).optional(),
});
export type ToldRule = Readonly<z.infer<typeof toldRule>>;

export const alarmRow = z.object({
  id,
  project_id: id,
  device_id: id,
  function_id: id,
  /** Of the rule, as it was then. */
  name: z.string(),
  /** Version of the rule: `since` of its function then. */
  since: micros,
  /** When the condition began to hold, when it had held for long enough, and when it ceased to; null while it holds. */
  start: micros,
  fired: micros,
  end: micros.nullable(),
  /** When the service knew of it, of a change of what it had said, and that there was nothing; null for never. */
  raised: micros,
  amended: micros.nullable(),
  withdrawn: micros.nullable(),
  /** `by`: the name of an API key, or "app"; `text`: "" for none. */
  acknowledged: z.object({ at: micros, by: z.string(), text: z.string() }).nullable(),
  acts: z.array(alarmAct),
  created: micros,
  sequence: z.int(),
});
