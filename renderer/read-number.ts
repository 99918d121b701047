/* Numbers as people type them, or copy them from a screen of the app. */

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
/** As the app writes them: 12,345,679,300 and 1,013.25. */
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+\.\d+$|^[+-]?[1-9]\d{0,2}(,\d{3}){2,}$/;
/** A thousand and something, or one and a fraction. */
const EITHER = /^[+-]?[1-9]\d{0,2},\d{3}$/;

export type NumberRead =
  | { readonly number: number }
  /** `isUnclear`: it may be two numbers. */
  | { readonly problem: string; readonly isUnclear: boolean };

/** Reads a number; a comma is a decimal mark, or stands between thousands. `problem` is a sentence for who typed it. */
export function readNumber(text: string): NumberRead {
  const typed = text.trim();
  const wanted = typed.replace('−', '-');
  if (EITHER.test(wanted)) {
    const [whole, fraction] = [wanted.replace(',', ''), wanted.replace(',', '.')];
    return { problem: `“${typed}” may be ${whole} or ${fraction}: write one of these.`, isUnclear: true };
  }
  const plain = GROUPED.test(wanted)
    ? wanted.replaceAll(',', '')
    : wanted.includes('.')
      ? wanted
      : wanted.replace(',', '.');
  const number = Number(plain);
  return PLAIN.test(plain) && Number.isFinite(number)
    ? { number }
    : { problem: 'A number, or nothing.', isUnclear: false };
}
