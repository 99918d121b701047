/** Share of the window that it moves by. */
export const STEP = 0.2;

export type Act =
  | 'before'
  | 'after'
  | 'first'
  | 'last'
  | 'earlier'
  | 'later'
  | 'closer'
  | 'farther'
  | 'all'
  | 'back'
  | 'drop';

const ACTS: Readonly<Record<string, Act>> = {
  ArrowLeft: 'before',
  ArrowRight: 'after',
  ',': 'before',
  '.': 'after',
  Home: 'first',
  End: 'last',
  '+': 'closer',
  '=': 'closer',
  '-': 'farther',
  '0': 'all',
  Backspace: 'back',
  Escape: 'drop',
};

/** What a key asks of the chart that has the focus; null for nothing. */
export function keyAct({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): Act | null {
  if (altKey || ctrlKey || metaKey) return null;
  if (shiftKey && key === 'ArrowLeft') return 'earlier';
  if (shiftKey && key === 'ArrowRight') return 'later';
  return ACTS[key] ?? null;
}
