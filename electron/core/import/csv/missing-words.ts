/** What loggers, R, Python and spreadsheets write for "no value", whatever else the column holds. In lower case. */
const ALWAYS: ReadonlySet<string> = new Set(['null', 'nan', 'na', 'n/a', '#n/a']);

/** The same, where the column holds numbers; in a column of texts these may be texts. */
const BESIDE_NUMBERS: ReadonlySet<string> = new Set([
  'none',
  'nil',
  '\\n',
  '-',
  '--',
  '---',
  '----',
  '-----',
  '?',
  '??',
  '???',
  '*',
  '**',
  '***',
  '.',
  '..',
  '-nan',
  '+nan',
  'nan(ind)',
  '-nan(ind)',
  '1.#qnan',
  '-1.#ind',
  '1.#inf',
  '-1.#inf',
  '#na',
  'n.a.',
  'n.a',
  'inf',
  '-inf',
  '+inf',
  'infinity',
  '-infinity',
  '+infinity',
  'nodata',
  'no data',
  'missing',
  'err',
  'error',
  '#div/0!',
  '#value!',
  '#ref!',
  '#num!',
  '#name?',
  '#null!',
  'ovf',
  'overflow',
  'ol',
  '+over',
  '-over',
  '–',
  '—',
  '//',
  '///',
  '////',
  '/////',
]);

const LONGEST = Math.max(...[...ALWAYS, ...BESIDE_NUMBERS].map(({ length }) => length));

/** In a setting it stands for all words that are known, to which the others are added. */
export const KNOWN = 'known';

export interface MissingWords {
  /** Whether a text stands for no value; "known" where that is taken for granted, so that people are told. */
  has(text: string, besideNumbers: boolean): boolean | 'known';
  /** Whether a text was chosen to stand for no value, be it a number. */
  isChosen(text: string): boolean;
  /** Whether they were chosen, so that numbers may be among them. */
  readonly chosen: boolean;
  /** No word is longer. */
  readonly longest: number;
}

const hasKnown = (word: string, besideNumbers: boolean) =>
  ALWAYS.has(word) || (besideNumbers && BESIDE_NUMBERS.has(word) && 'known');

/** The words of a file: those that a setting lists, separated by ",", or the known ones. */
export function missingWords(setting: string = KNOWN): MissingWords {
  const listed = new Set(wordsOf(setting).map((word) => word.toLowerCase()));
  const isKnown = listed.delete(KNOWN);
  const longest = Math.max(isKnown ? LONGEST : 0, ...[...listed].map(({ length }) => length));
  const isChosen = (text: string) => listed.has(text.trim().toLowerCase());
  return {
    chosen: !isKnown || listed.size > 0,
    longest,
    isChosen,
    has: (text, besideNumbers) =>
      isChosen(text) || (isKnown && hasKnown(text.trim().toLowerCase(), besideNumbers)),
  };
}

export function wordsOf(setting: string): string[] {
  return setting
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Numbers that loggers write where there is no value. */
const SENTINELS: ReadonlySet<number> = new Set([
  -99, -999, -9999, -99_999, -999.9, -99.9, -9999.9, -999.99, -7999, -6999, -32_768, 9999, 99_999, 999_999,
  9999.9, 999.9, 32_767, 65_535,
]);
/** All others are at most so much of it. */
const FAR = 0.5;

/** The numbers that may stand for no value, as each is far from all the others. */
export function sentinelsOf(numbers: readonly number[]): number[] {
  const found: number[] = [];
  let left = numbers;
  for (;;) {
    // A pressure of 999.9 is measured, and does not hide -999 beside it.
    const sentinel = [...new Set(left)].find((number) => SENTINELS.has(number) && isFar(number, left));
    if (sentinel === undefined) return found;
    found.push(sentinel);
    left = left.filter((number) => number !== sentinel);
  }
}

function isFar(sentinel: number, numbers: readonly number[]): boolean {
  const others = numbers.filter((number) => number !== sentinel);
  if (others.length === 0) return sentinel < 0;
  return others.every((other) => (sentinel < 0 ? other > sentinel * FAR : Math.abs(other) < sentinel * FAR));
}
