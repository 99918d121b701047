import type { Shape } from '#shared/domain/shapes.ts';
import type { InputOf } from '#shared/operations/index.ts';
import type { Micros } from '#shared/values/time.ts';
import { formatMicros } from '#shared/values/time.ts';
import { parseDuration } from '../../../components/facts/duration-words.ts';
import { readNumber } from '../../../read-number.ts';
import { firstFields, readShape, type KeyDraft } from './shape-draft.ts';

/* A simulator while it is typed. */

export type Input = InputOf<'simulators.create'>;
export type Way = NonNullable<Input['through']>;
export type TroubleName = keyof NonNullable<Input['trouble']>;

/** What goes wrong, in percent of the readings. */
export const TROUBLE_LABELS: Readonly<Record<TroubleName, string>> = {
  gaps: 'Left out',
  late: 'Late',
  duplicates: 'Sent twice',
  wrong_clock: 'Wrong clock',
  stuck: 'Value stuck',
  spikes: 'Spikes',
};

export interface SimulationDraft {
  readonly kind: 'shapes' | 'replay';
  readonly keys: readonly KeyDraft[];
  readonly every: string;
  /** How far back it begins; empty for from now on. */
  readonly history: string;
  readonly seed: string;
  readonly through: Way;
  readonly trouble: Readonly<Partial<Record<TroubleName, string>>>;
  /** Device of a replay; empty for none yet. */
  readonly from: string;
  readonly times: NonNullable<Input['times']>;
  /** How many times as fast a replay is; empty for all at once. */
  readonly speed: string;
}

export const firstDraft: SimulationDraft = {
  kind: 'shapes',
  keys: [{ id: 0, key: 'temperature', shape: 'sine', fields: firstFields('sine') }],
  every: '5 s',
  history: '',
  seed: '1',
  through: 'store',
  trouble: {},
  from: '',
  times: 'now',
  speed: '1',
};

/** Errors by field: those of keys as `key 3` and `key 3 mean`, with the id of the draft. */
export type DraftProblems = Readonly<Record<string, string>>;

/** What is asked for beside the device. */
export type Asked = Omit<Input, 'project_id' | 'device_id'>;

const DURATION_PROBLEM = 'A time such as 10 s, 5 min or 2 h.';

/** ms of an interval as it is typed; null for none. */
export function intervalOf(every: string): number | null {
  const seconds = parseDuration(every);
  const ms = seconds === null ? 0 : Math.round(seconds * 1000);
  return ms >= 1 ? ms : null;
}

/** The seed as it is typed; null for none. */
export function seedOf(seed: string): number | null {
  const text = seed.trim();
  const number = Number(text);
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(number) ? number : null;
}

/** Returns what is asked for, or what is wrong with which field. */
export function readDraft(
  draft: SimulationDraft,
  now: Micros,
): { readonly asked: Asked } | { readonly problems: DraftProblems } {
  const problems: Record<string, string> = {};
  const trouble = readTrouble(draft.trouble, problems);
  const seed = seedOf(draft.seed);
  if (seed === null) problems['seed'] = 'A whole number from 0.';
  const common = { through: draft.through, ...(seed !== null && { seed }), trouble };
  const asked =
    draft.kind === 'shapes'
      ? { ...common, ...readShapes(draft, now, problems) }
      : { ...common, ...readReplay(draft, problems) };
  return Object.keys(problems).length > 0 ? { problems } : { asked };
}

function readTrouble(given: SimulationDraft['trouble'], problems: Record<string, string>) {
  const trouble: Partial<Record<TroubleName, number>> = {};
  for (const [name, text] of Object.entries(given) as [TroubleName, string][]) {
    if (text.trim() === '') continue;
    const found = readNumber(text);
    if ('problem' in found || found.number < 0 || found.number > 100) problems[name] = 'From 0 to 100.';
    // 0.7 / 100 is a little more than 0.007.
    else trouble[name] = Number((found.number / 100).toPrecision(12));
  }
  return trouble;
}

function readShapes(
  { keys, every, history }: SimulationDraft,
  now: Micros,
  problems: Record<string, string>,
): Partial<Asked> {
  const every_ms = intervalOf(every);
  if (every_ms === null) problems['every'] = DURATION_PROBLEM;
  const back = history.trim() === '' ? null : parseDuration(history);
  if (history.trim() !== '' && back === null) problems['history'] = DURATION_PROBLEM;
  const shapes: Record<string, Shape> = {};
  for (const draft of keys) {
    const name = draft.key.trim();
    if (name === '') problems[`key ${draft.id}`] = 'A name.';
    else if (Object.hasOwn(shapes, name)) problems[`key ${draft.id}`] = 'Another name: this one is there.';
    const read = readShape(draft);
    if ('shape' in read) shapes[name] = read.shape;
    else for (const [field, why] of Object.entries(read.problems)) problems[`key ${draft.id} ${field}`] = why;
  }
  return {
    keys: shapes as NonNullable<Input['keys']>,
    ...(every_ms !== null && { every_ms }),
    ...(back !== null && { start: formatMicros(now - Math.round(back * 1e6)) }),
  };
}

function readReplay(
  { from, times, speed }: SimulationDraft,
  problems: Record<string, string>,
): Partial<Asked> {
  if (from === '') problems['from'] = 'A device.';
  const isAtOnce = speed.trim() === '';
  const found = isAtOnce ? { number: 1 } : readNumber(speed);
  if ('problem' in found || found.number <= 0)
    problems['speed'] = 'A number above 0, or nothing for all at once.';
  return {
    replay: { device_id: from },
    times,
    speed: isAtOnce || 'problem' in found ? 'max' : found.number,
  };
}
