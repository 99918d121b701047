import { useMemo, useRef, useState, type ReactNode } from 'react';
import { ruleOf } from '#shared/domain/rules.ts';
import { ruleWords } from '#shared/domain/words/rule-words.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { formatMicros } from '#shared/values/time.ts';
import { useMay } from '../bridge/distant.ts';
import { ruleCalled } from '../components/alarms/rule-called.ts';
import { useSubmit } from '../components/dialog/use-submit.ts';
import { countOf } from '../format.ts';
import { nowMicros } from '../time.ts';
import { addRule, saveRule } from './change-rules.ts';
import { keepDraft, useDraft } from './drafts.ts';
import type { KnownKey } from './key-field.tsx';
import {
  canBeTried,
  draftOf,
  faultAt,
  isSame,
  keysOf,
  newDraft,
  written,
  type RuleDraft,
} from './rule-draft.ts';
import { RuleForm } from './rule-form.tsx';
import classes from './rules.module.css';
import { TriedResult } from './tried-result.tsx';
import type { TriedFiring } from './tried-words.ts';
import { useTried, type Tried } from './use-tried.ts';

export interface RuleEditorProps {
  readonly project_id: string;
  /** Null: of the devices with a tag. */
  readonly device_id: string | null;
  /** Null: a new one. */
  readonly rule: DeviceFunction | null;
  readonly keys: readonly KnownKey[];
  readonly settingsOf: (key: string) => KeySettings;
  /** Tags of the project's devices. */
  readonly tags?: readonly string[];
  /** Records of the devices that a tag has: how much is read to try it. */
  readonly recordsOf: (tag: string | null) => number;
  readonly nameOf?: (device_id: string) => string;
  readonly hrefOf: (firing: TriedFiring, keys: readonly string[]) => string;
  readonly onClose: () => void;
  readonly onSaved: (rule: DeviceFunction) => void;
  /** Draws the chart beside it, with the keys of the rule and what it would have done there. */
  readonly renderChart?: (keys: readonly string[], found: Tried | null) => ReactNode;
}

/** So far back a rule is tried. */
const DAYS = 30;
/** More records than these are read only when somebody asks: about two seconds' work. */
const MOST_BY_ITSELF = 20_000_000;

/** A rule as it is written, and what it would have done: it is switched on by who has seen that. */
export function RuleEditor(props: RuleEditorProps) {
  const { project_id, device_id, rule, keys, settingsOf, tags, recordsOf, hrefOf, renderChart } = props;
  const isOfTag = device_id === null;
  const place = `${device_id ?? project_id}/${rule?.id ?? 'new'}`;
  const [first] = useState(() => newDraft(keys[0]?.key ?? '', isOfTag ? '' : null));
  const saved = useMemo(() => (rule ? draftOf(rule, isOfTag) : first), [rule, isOfTag, first]);
  const kept = useDraft(place);
  const draft = kept ?? saved;
  const said = useMemo(() => written(draft), [draft]);
  const [isPressed, setPressed] = useState(false);
  const [hint, setHint] = useState<string | null>(null);
  const change = (part: Partial<RuleDraft>) => {
    const next = { ...draft, ...part };
    keepDraft(place, isSame(next, saved) ? null : next);
    setHint(null);
  };
  // What is tried stays the same question while nobody types.
  const [start] = useState(() => formatMicros(nowMicros() - DAYS * 86_400e6));
  const mayTry = useMay('rules.try');
  const isWhole = canBeTried(said);
  const records = recordsOf(draft.tag);
  const isMuch = records > MOST_BY_ITSELF;
  const asked =
    mayTry && isWhole
      ? { project_id, ...(device_id !== null && { device_id }), condition: said.condition, start }
      : null;
  const tried = useTried(asked, !isMuch);
  const isNow = asked !== null && tried.of === JSON.stringify(asked);
  const found = isNow ? tried.found : null;
  // One that runs as it was before has been seen.
  const isAsBefore =
    rule?.enabled === true && JSON.stringify(rule.condition) === JSON.stringify(said.condition);
  const isSeen = !mayTry || isAsBefore || (found !== null && !tried.busy);

  const isToBeOn = useRef(true);
  const submit = useSubmit(async () => {
    const fields = { name: draft.name.trim(), enabled: isToBeOn.current, condition: said.condition };
    if (rule) {
      await saveRule(rule, fields);
      keepDraft(place, null);
      props.onClose();
    } else {
      const made = await addRule({ project_id, device_id }, fields);
      keepDraft(place, null);
      props.onSaved(made);
    }
  });
  const save = (enabled: boolean): boolean => {
    setPressed(true);
    if (said.problems.size > 0) return false;
    if (enabled && !isSeen) {
      if (!tried.busy && tried.refused === null) tried.now();
      setHint('See first what it would have done, then switch it on.');
      return true;
    }
    setHint(null);
    isToBeOn.current = enabled;
    submit.run();
    return true;
  };

  const refusal = submit.error ?? (isNow ? tried.refused : null);
  const [refusedField, refusedWords] = refusal === null ? [null, null] : faultAt(refusal, said.fields);
  const problemOf = (field: string) =>
    (isPressed || wasTyped(draft, field) ? said.problems.get(field) : undefined) ??
    (refusedField === field ? refusedWords : undefined);
  const words = useMemo(() => {
    const read = ruleOf(said.condition);
    return isWhole && typeof read !== 'string' ? ruleWords(read, ruleCalled(settingsOf)) : null;
  }, [said, isWhole, settingsOf]);
  const named = JSON.stringify(keysOf(draft));
  const drawn = useMemo(() => JSON.parse(named) as readonly string[], [named]);
  return (
    <div className={classes['editor']}>
      <RuleForm
        {...{ draft, keys, settingsOf, words, hint, problemOf }}
        {...(tags && { tags })}
        isNew={rule === null}
        isChanged={kept !== null}
        isOn={rule?.enabled ?? true}
        problem={
          said.problems.get('') ?? (refusedField === '' && submit.error !== null ? refusedWords : null)
        }
        busy={submit.busy}
        onChange={change}
        onDiscard={() => {
          keepDraft(place, null);
          setPressed(false);
          setHint(null);
        }}
        onClose={props.onClose}
        onSave={save}
      />
      {mayTry ? (
        <TriedResult
          tried={tried}
          isNow={isNow}
          lack={isWhole ? null : 'Once the condition is whole, you see here what it would have done.'}
          waits={isMuch ? `That reads ${countOf(records, 'record')}: it waits until you ask.` : null}
          days={DAYS}
          isOfTag={isOfTag}
          nameOf={props.nameOf ?? (() => '')}
          hrefOf={(firing) => hrefOf(firing, drawn)}
          chart={renderChart?.(drawn, found)}
        />
      ) : (
        renderChart?.(drawn, found)
      )}
    </div>
  );
}

/** Whether something stands in a field of a condition, so that what is wrong with it is not said before it is written. */
function wasTyped({ items, lasts }: RuleDraft, field: string): boolean {
  if (field === 'lasts') return lasts.trim() !== '';
  const [id, name = ''] = field.split('.');
  const item = items.find((one) => one.id === id);
  const text: unknown = item && Object.entries(item).find(([each]) => each === name)?.[1];
  return typeof text === 'string' && text.trim() !== '';
}
