import { RecordFault } from '../../ingest/record.ts';
import { quote } from '#shared/values/validate.ts';
import type { Cell } from '../text/csv.ts';
import { isNumber } from '../text/number-text.ts';
import { guessTime, type TimeHints } from '../time/guess-time.ts';

/**
 * What quotes say in one file. "own": this program wrote it, and as "texts", where even "NaN" in quotes is a text. "texts": the writer puts texts in quotes and numbers not, so "1" is the text 1 and "" the
 * empty text. "nothing": everything stands in them. "need": they stand only where a field needs them, as far as seen.
 */
export type Quoting = 'own' | 'texts' | 'nothing' | 'need';

/** What quotes say, from the first rows and the names above them, if any. */
export function guessQuoting(
  header: readonly Cell[] | null,
  cells: readonly Cell[],
  { delimiter, now }: { readonly delimiter: string } & Pick<TimeHints, 'now'>,
): Quoting {
  const [first, ...keys] = header ?? [];
  // As this program writes it: a file of one text that needs its quotes would not say so otherwise.
  if (first && keys.length > 0 && isOwnTime(first) && keys.every(({ quoted }) => quoted)) return 'own';
  const inQuotes = [...(header ?? []), ...cells].filter(({ quoted }) => quoted);
  if (inQuotes.length === 0) return 'need';
  const bare = cells.some(
    ({ text, quoted }) =>
      !quoted && /\d/.test(text) && (isNumber(text) || guessTime([text], { now }) !== null),
  );
  if (!bare) return 'nothing';
  return inQuotes.some(({ text }) => !needsQuotes(text, delimiter)) ? 'texts' : 'need';
}

function isOwnTime({ text, quoted }: Cell): boolean {
  return text === 'timestamp' && !quoted;
}

function needsQuotes(text: string, delimiter: string): boolean {
  return text.includes(delimiter) || /["\r\n]|^\s|\s$/.test(text);
}

/** Whether quotes make text of a field, whatever it looks like. */
export function isQuotedText({ text, quoted }: Cell, quoting: Quoting, delimiter: string): boolean {
  if (!quoted || quoting === 'nothing') return false;
  return quoting === 'own' || quoting === 'texts' || !needsQuotes(text, delimiter);
}

/** Passes a number on. Throws RecordFault beyond all doubles. */
export function finite(number: number, text: string): number {
  if (Number.isFinite(number)) return number;
  throw new RecordFault(`the number ${quote(text)} is too large: at most 1.7976931348623157e308`);
}

/** Null for other texts. Loggers that print with a width pad truths inside their quotes, as they do numbers. */
export function readBoolean(text: string): boolean | null {
  const word = text.length > 5 ? text.trim() : text;
  if (word.length > 5) return null;
  const lower = word.toLowerCase();
  return lower === 'true' ? true : lower === 'false' ? false : null;
}
