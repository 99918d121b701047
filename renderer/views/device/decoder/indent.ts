/* Lines of a text that are moved to the right or back. */

const STEP = '  ';

export interface Edited {
  /** What takes the place of the text from `from` to `to`. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** What is selected afterwards. */
  readonly select: readonly [start: number, end: number];
}

/** Indents at the caret, or the lines that are selected. */
export function indented(text: string, start: number, end: number): Edited {
  if (start === end) return { from: start, to: end, text: STEP, select: [start + 2, start + 2] };
  const from = lineStart(text, start);
  const lines = text.slice(from, end).split('\n');
  const moved = lines.map((line) => STEP + line).join('\n');
  return { from, to: end, text: moved, select: [start + 2, end + 2 * lines.length] };
}

/** Takes a step off the lines that are selected, or the one of the caret; null where none has any. */
export function outdented(text: string, start: number, end: number): Edited | null {
  const from = lineStart(text, start);
  const lineEnd = text.indexOf('\n', end);
  const to = lineEnd < 0 ? text.length : lineEnd;
  const lines = text.slice(from, to).split('\n');
  const taken = lines.map((line) => /^(?: {1,2}|\t)?/.exec(line)?.[0].length ?? 0);
  const all = taken.reduce((sum, each) => sum + each, 0);
  if (all === 0) return null;
  const moved = lines.map((line, at) => line.slice(taken[at])).join('\n');
  const first = Math.max(from, start - (taken[0] ?? 0));
  return { from, to, text: moved, select: [first, Math.max(first, end - all)] };
}

const lineStart = (text: string, at: number) => text.lastIndexOf('\n', at - 1) + 1;

/** Where a line, counted from 1, begins and ends; the last one where there are fewer. */
export function lineSpan(text: string, line: number): readonly [start: number, end: number] {
  let start = 0;
  for (let at = 1; at < line; at++) {
    const next = text.indexOf('\n', start);
    if (next < 0) break;
    start = next + 1;
  }
  const end = text.indexOf('\n', start);
  return [start, end < 0 ? text.length : end];
}
