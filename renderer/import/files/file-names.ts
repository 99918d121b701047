const MOST_NAME = 100;

/** What a new device is called after a file: its name without what follows the last dot. */
export function nameAfter({ name }: Pick<File, 'name'>): string {
  return (name.replace(/\.[^.]*$/, '').trim() || name).slice(0, MOST_NAME);
}

const YEAR_AT_END = /(?:^|[\s_.-]+)(?:19|20)\d\d(?:[-_.]?\d\d){0,2}$/;
const SEPARATORS_AT_END = /[\s_.,()[\]-]+$/;

/**
 * What is called after all of some files: the words that their names begin with, without a date. "pump 7" of
 * "pump 7_2026-10-01.csv" and "pump 7_2026-10-02.csv"; the first one's own name where they have none in common.
 */
export function nameAfterAll(files: readonly Pick<File, 'name'>[]): string {
  const names = files.map(nameAfter);
  const [first = ''] = names;
  if (names.every((name) => name === first)) return first;
  let length = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, length))) length--;
  const common = first.slice(0, length);
  const goesOn = (end: RegExp, begin: RegExp) =>
    end.test(common) && names.some((name) => begin.test(name.slice(length)));
  // No half word, and no half number.
  const cut = goesOn(/\d$/, /^\d/) ? /\d+$/ : goesOn(/\p{L}$/u, /^\p{L}/u) ? /\p{L}+$/u : '';
  const words = common
    .replace(cut, '')
    .replace(SEPARATORS_AT_END, '')
    .replace(YEAR_AT_END, '')
    .replace(SEPARATORS_AT_END, '');
  return words || first;
}
