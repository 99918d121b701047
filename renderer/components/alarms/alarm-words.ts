import type { Alarm, AlarmAct } from '#shared/operations/metadata/alarms.ts';
import { SILENCED } from '#shared/domain/alarms.ts';
import { ruleOf } from '#shared/domain/rules.ts';
import { actWords, ruleWords, type RuleCalled } from '#shared/domain/words/rule-words.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { screenWords } from '../../bridge/screen-words.ts';
import { countOf, formatSpan } from '../../format.ts';
import { formatClock, formatDay, formatLocal } from '../../time.ts';

/* Words about alarms. */

const at = (text: string | null): Micros | null => (text === null ? null : parseInstant(text));

/** A time of day; of another day with its date. To the second: alarms are not told apart by less. */
export function momentWords(instant: Micros, now: Micros): string {
  const second = Math.floor(instant / 1e6) * 1e6;
  return formatDay(instant) === formatDay(now) ? formatClock(second) : formatLocal(second);
}

/** How long its condition held, or holds by now, beside its state: `for 2 h 5 min`, `just now`. */
export function heldWords({ start, end }: Pick<Alarm, 'start' | 'end'>, now: Micros): string {
  const length = Math.max(0, (at(end) ?? now) - (at(start) ?? now));
  // An open alarm is told to the second: it is longer by the time that it is read.
  if (end === null && length < 1e6) return 'just now';
  return `for ${formatSpan(length).replace(/ 0 (s|min)$/, '')}`;
}

/** The same where its state does not stand beside it: `for 2 h 5 min by now`. */
export function lengthWords(alarm: Pick<Alarm, 'start' | 'end'>, now: Micros): string {
  const words = heldWords(alarm, now);
  return alarm.end === null && words !== 'just now' ? `${words} by now` : words;
}

/** Condition of an alarm's rule, in words, as long as that is the one that raised it. */
export function conditionOf({ condition }: Pick<Alarm, 'condition'>, called: RuleCalled): string {
  if (condition === null) return 'By a rule that was changed or deleted since';
  const rule = ruleOf(condition);
  return typeof rule === 'string' ? rule : ruleWords(rule, called);
}

export const STATE_WORDS: Readonly<Record<Alarm['state'], string>> = {
  open: 'Open',
  ended: 'Ended',
  withdrawn: 'Withdrawn',
};

/** Revision by late records, in words; null for none. */
export function revisedWords({ withdrawn, amended, raised }: Alarm, now: Micros): string | null {
  const [gone, changed, known] = [at(withdrawn), at(amended), at(raised) ?? now];
  if (gone !== null)
    return `Withdrawn at ${momentWords(gone, now)}: what is stored since says that it was not so. Raised at ${momentWords(known, now)}.`;
  if (changed !== null)
    return `Amended at ${momentWords(changed, now)}: what is stored since says when it began and ended.`;
  return null;
}

/** Acknowledgement: by whom, when and with which words; null for none. */
export function seenWords({ acknowledged }: Pick<Alarm, 'acknowledged'>, now: Micros): string | null {
  if (acknowledged === null) return null;
  const { by, text } = acknowledged;
  const when = momentWords(at(acknowledged.at) ?? now, now);
  return `Seen at ${when} by ${by}${text === '' ? '' : `: ${text}`}`;
}

interface ActsTold {
  readonly words: string;
  /** Whether one was not done, or is tried again. */
  readonly isAmiss: boolean;
}

/** Outcome of its acts, failures first: `webhook to example.org failed: …`, `2 acts done, mail waits`; null for none. */
export function actsTold({ acts }: Pick<Alarm, 'acts'>, now: Micros): ActsTold | null {
  if (acts.length === 0) return null;
  const amiss = acts.filter(
    ({ state, error }) => state === 'failed' || (state === 'waiting' && error !== null),
  );
  if (amiss.length > 0) return { words: amiss.map((act) => amissWords(act, now)).join('. '), isAmiss: true };
  const over = acts.filter(({ state }) => state === 'done');
  const silenced = over.filter(({ error }) => error === SILENCED).length;
  const done = over.length - silenced;
  const waiting = acts.filter(({ state }) => state === 'waiting').map(({ act }) => actWords(act));
  const parts = [
    ...(done > 0 ? [`${countOf(done, 'act')} done`] : []),
    ...(silenced > 0 ? [`${countOf(silenced, 'act')} left out: silenced`] : []),
    ...waiting.map((word) => `${word} waits`),
  ];
  return { words: parts.join(', '), isAmiss: false };
}

function amissWords({ act, state, error, tries, next }: AlarmAct, now: Micros): string {
  const what = actWords(act);
  const why = error === null ? '' : `: ${screenWords(error)}`;
  if (state === 'failed') return `${what} failed${why}`;
  const again = at(next);
  const when = again === null ? '' : `, again at ${momentWords(again, now)}`;
  return `${what} failed ${tries === 1 ? 'once' : `${tries} times`}${why}${when}`;
}

/** An alarm in a line: `Boiler too hot: since 10:12:00, for 2 h by now`. */
export function alarmLine(alarm: Alarm, now: Micros): string {
  const since = momentWords(at(alarm.start) ?? now, now);
  const withdrawn = alarm.state === 'withdrawn' ? ' (withdrawn)' : '';
  return `${alarm.rule}${withdrawn}: since ${since}, ${lengthWords(alarm, now)}`;
}
