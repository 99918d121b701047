import { RULE } from '#shared/domain/rule-names.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import { ask } from '../bridge/ask.ts';
import { sayUndoable } from '../components/work/undo-toast.tsx';
import { rules } from '../stores/rules/rules.ts';
import { functionSteps } from '../stores/undo/function-steps.ts';
import type { Way } from '../stores/undo/undoable.ts';
import { formatLocal } from '../time.ts';

/* Steps of a person with a rule, which can be taken back. */

type Fields = Pick<DeviceFunction, 'name' | 'enabled' | 'condition'>;
export type Silenceable = Pick<DeviceFunction, 'project_id' | 'id' | 'name' | 'silenced_until'>;
type Place = Pick<DeviceFunction, 'project_id' | 'device_id'>;

const fieldsOf = ({ name, enabled, condition }: DeviceFunction): Fields => ({ name, enabled, condition });
const { create, update, remove, changing, removing, adding } = functionSteps({
  type: RULE,
  word: 'rule',
  fieldsOf,
  reload: () => rules.reload(),
});

const ON = 'What is true now raises an alarm; what was over by now does not.';
const OFF = 'Its open alarms end.';

/** Adds a rule. */
export async function addRule(place: Place, fields: Fields): Promise<DeviceFunction> {
  const made = await create(place, fields);
  sayUndoable(`Rule “${made.name}” added`, made.enabled ? ON : 'It is switched off.', removing(made));
  return made;
}

/** Saves what was written of a rule. */
export async function saveRule(before: DeviceFunction, fields: Fields): Promise<void> {
  const after = await update(before, fields);
  const isAnew = JSON.stringify(after.condition) !== JSON.stringify(before.condition) || !before.enabled;
  const words = !after.enabled
    ? 'It is switched off.'
    : isAnew
      ? `It begins anew. ${ON}`
      : 'It goes on as it was.';
  sayUndoable(`Rule “${after.name}” saved`, words, changing(after, fieldsOf(before)));
}

/** Switches a rule on or off. */
export async function switchRule(before: DeviceFunction, enabled: boolean): Promise<void> {
  const after = await update(before, { ...fieldsOf(before), enabled });
  const [title, words] = enabled
    ? [`Rule “${after.name}” switched on`, ON]
    : [`Rule “${after.name}” switched off`, OFF];
  sayUndoable(title, words, changing(after, fieldsOf(before)));
}

/** Removes a rule; its alarms stay, and the open ones end. */
export async function removeRule(rule: DeviceFunction): Promise<void> {
  await remove(rule);
  sayUndoable(`Rule “${rule.name}” deleted`, `${OFF} Its alarms stay in the list.`, adding(rule));
}

/** Holds the acts of a rule back until a time; null ends that. */
export async function silenceRule(rule: Silenceable, until: Micros | null): Promise<void> {
  const before = parseInstant(rule.silenced_until ?? '');
  await silence(rule, until);
  const [title, words] =
    until === null
      ? [`Rule “${rule.name}” is not silenced any more`, 'Its alarms do again what the rule says.']
      : [
          `Rule “${rule.name}” silenced until ${formatLocal(Math.floor(until / 1e6) * 1e6)}`,
          'Its alarms are raised until then, and nothing else is done.',
        ];
  sayUndoable(title, words, silencing(rule, before, until));
}

async function silence({ project_id, id }: Silenceable, until: Micros | null): Promise<void> {
  const told = until === null ? null : formatMicros(until);
  await ask('functions.silence', { project_id, function_id: id, until: told });
  rules.reload();
}

function silencing(rule: Silenceable, to: Micros | null, from: Micros | null): Way {
  return async () => {
    await silence(rule, to);
    return { back: silencing(rule, from, to) };
  };
}
