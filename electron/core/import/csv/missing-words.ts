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

export interface MissingWords {
  /** Whether a text stands for no value; "known" where that is taken for granted, so that people are told. */
  has(text: string, besideNumbers: boolean): boolean | 'known';
  /** Whether they were chosen, so that numbers may be among them. */
  readonly chosen: boolean;
  /** No word is longer. */
  readonly longest: number;
}

/** The words of a file: those that a setting lists, separated by ",", or the known ones. */
export function missingWords(setting: string | undefined): MissingWords {
  if (setting === undefined)
    return {
      chosen: false,
      longest: LONGEST,
      has(text, besideNumbers) {
        const word = text.trim().toLowerCase();
        return ALWAYS.has(word) || (besideNumbers && BESIDE_NUMBERS.has(word) && 'known');
      },
    };
  const words = new Set(wordsOf(setting).map((word) => word.toLowerCase()));
  return {
    chosen: true,
    longest: Math.max(0, ...[...words].map(({ length }) => length)),
    has: (text) => words.has(text.trim().toLowerCase()),
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

/** A number that may stand for no value, as it is far from all the others; null where there is none. */
export function sentinelOf(numbers: readonly number[]): number | null {
  const found = [...new Set(numbers)].filter((number) => SENTINELS.has(number));
  // A pressure of 999.9 is measured, and does not hide -999 beside it.
  return found.find((sentinel) => isFar(sentinel, numbers)) ?? null;
}

function isFar(sentinel: number, numbers: readonly number[]): boolean {
  const others = numbers.filter((number) => number !== sentinel);
  if (others.length === 0) return sentinel < 0;
  return others.every((other) => (sentinel < 0 ? other > sentinel * FAR : Math.abs(other) < sentinel * FAR));
}
