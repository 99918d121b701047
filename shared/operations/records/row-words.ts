import { countOf } from '../../values/counts.ts';
import type { PlannedRows, PushPlan } from './push.ts';
import type { RowKind } from './sync-rows.ts';

/* What a plan says of rows, in words. */

const WORDS: Readonly<Record<RowKind, readonly [one: string, many: string]>> = {
  functions: ['function', 'functions'],
  key_settings: ['setting of a key', 'settings of keys'],
  notes: ['note', 'notes'],
  widgets: ['widget', 'widgets'],
  alarms: ['alarm', 'alarms'],
};

/** `function`, `functions`. */
export const rowWord = (kind: RowKind, count: number): string => WORDS[kind][count === 1 ? 0 : 1];

/** `notes`, `notes and widgets`, `functions, notes and widgets`. */
export function kindsWords(kinds: readonly RowKind[]): string {
  const words = kinds.map((kind) => rowWord(kind, 2));
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((word) => word !== '').join(' and ');
}

/** `2 functions to send`, `1 note removed in the lab, left out`. */
export function rowsWords(rows: readonly PlannedRows[]): string[] {
  return rows.flatMap(({ kind, send, conflicting, removed, refused, reason }) => {
    const countWords = (count: number, what: string) =>
      count === 0 ? [] : [`${countOf(count, ...WORDS[kind])} ${what}`];
    return [
      ...countWords(send, 'to send'),
      ...countWords(conflicting, 'changed in the lab, as the lab has it'),
      ...countWords(removed, 'removed in the lab, left out'),
      ...countWords(refused, `refused by the lab: ${reason}`),
    ];
  });
}

/** Returns what a lab does not take at all; null where it takes everything. */
export const notTakenWords = ({ not_taken }: Pick<PushPlan, 'not_taken'>): string | null =>
  not_taken.length === 0
    ? null
    : `The lab is an earlier Fieldbench, which takes no ${kindsWords(not_taken).replace(' and ', ' or ')}.`;
