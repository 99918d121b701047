import type { Leaf, LeafKind } from '#shared/domain/rules.ts';
import { secondsText } from '#shared/values/duration.ts';
import { parseDuration } from '../components/facts/duration-words.ts';
import { readNumber } from '../read-number.ts';

/* Conditions as they are written in the form, and as a rule has them. */

/** Choices of a condition: a normal range is a limit of its own to people. */
export type LeafChoice = LeafKind | 'normal';

/** A condition as it is written: fields that another kind needs stay. */
export interface LeafDraft {
  readonly id: string;
  readonly choice: LeafChoice;
  readonly key: string;
  readonly limit: string;
  readonly low: string;
  readonly high: string;
  readonly hysteresis: string;
  readonly change: string;
  readonly within: string;
  readonly states: string;
  readonly silence: string;
}

export type LeafField = Exclude<keyof LeafDraft, 'id' | 'choice'>;

export const NO_LEAF: Omit<LeafDraft, 'id'> = {
  choice: 'above',
  key: '',
  limit: '',
  low: '',
  high: '',
  hysteresis: '',
  change: '',
  within: '10 min',
  states: '',
  silence: '15 min',
};

/** The draft of a saved condition. */
export function leafDraft(leaf: Leaf, id: string): LeafDraft {
  const none = { ...NO_LEAF, id };
  if ('silent_s' in leaf)
    return { ...none, choice: 'silent_s', key: leaf.key ?? '', silence: secondsText(leaf.silent_s) };
  const draft = { ...none, key: leaf.key };
  if ('change' in leaf)
    return { ...draft, choice: 'change', change: String(leaf.change), within: secondsText(leaf.within_s) };
  if ('is' in leaf) return { ...draft, choice: 'is', states: statesText([leaf.is].flat()) };
  const hysteresis = leaf.hysteresis === undefined ? '' : String(leaf.hysteresis);
  if ('above' in leaf) return { ...draft, choice: 'above', limit: String(leaf.above), hysteresis };
  if ('below' in leaf) return { ...draft, choice: 'below', limit: String(leaf.below), hysteresis };
  const { outside } = leaf;
  if (outside === 'normal') return { ...draft, choice: 'normal', hysteresis };
  const [low, high] = [outside.low, outside.high].map((limit) => (limit === undefined ? '' : String(limit)));
  return { ...draft, choice: 'outside', low: low ?? '', high: high ?? '', hysteresis };
}

export interface LeafWritten {
  /** As a rule has it; what could not be read is missing. */
  readonly leaf: Readonly<Record<string, unknown>>;
  /** Field of the draft behind each path in `leaf`: `outside.low` is that of `low`. */
  readonly fields: Readonly<Record<string, LeafField>>;
  /** Faults, by field. */
  readonly problems: readonly (readonly [LeafField, string])[];
}

/** The condition that a draft says. */
export function leafWritten(draft: LeafDraft): LeafWritten {
  const problems: [LeafField, string][] = [];
  const number = (field: LeafField, isNeeded = true): number | undefined => {
    const text = draft[field];
    if (text.trim() === '' && !isNeeded) return undefined;
    const read = readNumber(text);
    if ('number' in read) return read.number;
    problems.push([field, read.isUnclear ? read.problem : 'A number, such as 85.']);
    return undefined;
  };
  const seconds = (field: LeafField): number | undefined => {
    const read = parseDuration(draft[field]);
    if (read === null) problems.push([field, TIME_RULE]);
    return read ?? undefined;
  };
  const { choice } = draft;
  const key = draft.key.trim();
  if (key === '' && choice !== 'silent_s') problems.push(['key', 'A key of the device.']);
  const held = () => withGiven('hysteresis', number('hysteresis', false));
  const done = (leaf: LeafWritten['leaf'], fields: LeafWritten['fields']) => ({ leaf, fields, problems });
  switch (choice) {
    case 'above':
    case 'below':
      return done(
        { key, [choice]: number('limit'), ...held() },
        { key: 'key', [choice]: 'limit', hysteresis: 'hysteresis' },
      );
    case 'normal':
      return done({ key, outside: 'normal', ...held() }, { key: 'key', hysteresis: 'hysteresis' });
    case 'outside': {
      const limits = {
        ...withGiven('low', number('low', false)),
        ...withGiven('high', number('high', false)),
      };
      return done(
        { key, outside: limits, ...held() },
        {
          key: 'key',
          'outside.low': 'low',
          'outside.high': 'high',
          outside: 'low',
          hysteresis: 'hysteresis',
        },
      );
    }
    case 'change':
      return done(
        { key, change: number('change'), within_s: seconds('within') },
        { key: 'key', change: 'change', within_s: 'within' },
      );
    case 'is': {
      const states = statesOf(draft.states);
      if (states.length === 0) problems.push(['states', 'A state, such as open; several with commas.']);
      return done({ key, is: states.length === 1 ? states[0] : states }, { key: 'key', is: 'states' });
    }
    case 'silent_s':
      return done(
        { silent_s: seconds('silence'), ...(key !== '' && { key }) },
        { key: 'key', silent_s: 'silence' },
      );
  }
}

export const TIME_RULE = 'A time, such as “10 min” or “1 h”.';

const withGiven = (name: string, value: number | undefined) => (value === undefined ? {} : { [name]: value });

type State = string | number | boolean;

const PART = /\s*("(?:[^"\\]|\\.)*"|[^,]+)\s*/g;
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;

/** States as people write them: `open, 3, true`; a text that would be a number or has a comma stands in quotation marks. */
export function statesOf(text: string): readonly State[] {
  const parts = Array.from(text.matchAll(PART), ([, part = '']) => part.trim());
  return parts.filter((part) => part !== '').map(stateOf);
}

function stateOf(part: string): State {
  if (part === 'true' || part === 'false') return part === 'true';
  if (NUMBER.test(part)) return Number(part);
  if (!/^".*"$/.test(part)) return part;
  try {
    return String(JSON.parse(part));
  } catch {
    return part;
  }
}

/** Writes states so that they are read as the same ones. */
function statesText(states: readonly State[]): string {
  return states
    .map((state) => {
      if (typeof state !== 'string') return String(state);
      const isSame =
        state !== '' && !/[",]/.test(state) && state === state.trim() && stateOf(state) === state;
      return isSame ? state : JSON.stringify(state);
    })
    .join(', ');
}
