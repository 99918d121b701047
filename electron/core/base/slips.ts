/** Slips that a word may have. */
const mostOf = (meant: string) => (meant.length < 5 ? 1 : 2);

/** Whether a word is another one but for a slip of the keyboard, or two in a longer word. */
export const isNearly = (word: string, meant: string): boolean => slips(word, meant) <= mostOf(meant);

/** Returns the text that is nearly a word, the one with the fewest slips; null where none is. Upper and lower case are the same. */
export function nearestOf(word: string, texts: Iterable<string>): string | null {
  const lower = word.toLowerCase();
  let least = Infinity;
  let nearest: string | null = null;
  for (const text of texts) {
    const most = Math.min(mostOf(text), least - 1);
    // So many letters are too many, or too few: of most texts nothing else is looked at.
    if (Math.abs(text.length - word.length) > most) continue;
    const count = slips(lower, text.toLowerCase());
    if (count > most) continue;
    least = count;
    nearest = text;
  }
  return nearest;
}

/** Slips of the keyboard between two words: a letter too many, too few or another, or two that changed places. */
function slips(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  const at = (i: number, j: number) => rows[i]?.[j] ?? Infinity;
  for (let j = 1; j <= b.length; j++) rows[0]?.push(j);
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      rows[i]?.push(
        Math.min(
          at(i - 1, j) + 1,
          at(i, j - 1) + 1,
          at(i - 1, j - 1) + same,
          swapped ? at(i - 2, j - 2) + 1 : Infinity,
        ),
      );
    }
  return at(a.length, b.length);
}
