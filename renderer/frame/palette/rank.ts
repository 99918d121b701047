/*
 * What is found, best first, as people expect it: the name itself, names that begin with what was typed, then those
 * where each word begins a word ("pt 107" finds PT-107), then those that have it anywhere. Case and accents do not matter.
 */

/** Searchable item: by its name and further words. */
export interface Findable {
  readonly name: string;
  /** Tags, a brand … */
  readonly more: string;
  /** Known by its beginning. */
  readonly id: string;
}

/** Characters of an id that are worth comparing: those that the palette shows, and more. */
const LEAST_OF_ID = 4;

interface Texts {
  readonly name: string;
  /** The name's words, each behind a blank. */
  readonly words: string;
  readonly all: string;
}

/** Of what does not change: another name is another object. */
const known = new WeakMap<Findable, Texts>();

/** Reads what a thing is found by, for the searches to come. */
export function readTexts(of: Findable): void {
  textsOf(of);
}

function textsOf(of: Findable): Texts {
  let texts = known.get(of);
  if (!texts) {
    const name = plain(of.name);
    texts = { name, words: wordsIn(name), all: `${name}\n${plain(of.more)}` };
    known.set(of, texts);
  }
  return texts;
}

/** How many ranks there are: the first is the best. */
const RANKS = 5;

/** A search, read once for many things. */
export class Search {
  readonly #text: string;
  readonly #words: readonly { readonly word: string; readonly asWords: string }[];

  constructor(text: string) {
    this.#text = plain(text).trim();
    const words = this.#text.split(/\s+/).filter(Boolean);
    this.#words = words.map((word) => ({ word, asWords: wordsIn(word) }));
  }

  /** From 0, the best, to RANKS - 1; null where it is not found. Without a search everything has the last rank. */
  rankOf(of: Findable): number | null {
    if (this.#words.length === 0) return RANKS - 1;
    const { name, words, all } = textsOf(of);
    if (name === this.#text) return 0;
    if (name.startsWith(this.#text)) return 1;
    let begins = true;
    let inName = true;
    for (const { word, asWords } of this.#words) {
      const isInName = name.includes(word);
      const isOfId = word.length >= LEAST_OF_ID && of.id.startsWith(word);
      if (!isInName && !isOfId && !all.includes(word)) return null;
      begins &&= isInName && words.includes(asWords);
      inName &&= isInName;
    }
    if (begins) return 2;
    return inName ? 3 : 4;
  }

  /** The best of many, in their own order where they are equals, and how many were found in all. */
  best<T>(all: Iterable<T>, most: number, findableOf: (each: T) => Findable): { shown: T[]; found: number } {
    const ranks: T[][] = Array.from({ length: RANKS }, () => []);
    let found = 0;
    for (const each of all) {
      const rank = this.rankOf(findableOf(each));
      if (rank === null) continue;
      found++;
      const ranked = ranks[rank];
      if (ranked && ranked.length < most) ranked.push(each);
    }
    return { shown: ranks.flat().slice(0, most), found };
  }
}

function plain(text: string): string {
  // Nearly all names are plain already.
  if (!/[^ -~]/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}

/** ` pt 107` of `pt-107`. */
function wordsIn(name: string): string {
  return ` ${name.replace(/[^\p{L}\p{N}]+/gu, ' ')}`;
}
