/** `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter(Boolean).join(' or ');
}

/** Made at the first comparison: it takes longer than the rest of a module's load. */
let collator: Intl.Collator | undefined;

/** Order of names for people, as `Array.sort` takes it: "A 2" is before "A 10". */
export function byText(a: string, b: string): number {
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}

/** Whether every word of a search occurs in one of the texts; case and accents do not matter. */
export function matches(search: string, ...texts: readonly string[]): boolean {
  const text = plainText(texts.join('\n'));
  return wordsOf(search).every((word) => text.includes(word));
}

/** Searchable fields of a device. */
interface Findable {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly brand: string;
  readonly model: string;
  readonly tags: readonly string[];
}

/** An id is known by its beginning: fewer characters of it occur in the ids of others by chance. */
const LEAST_OF_ID = 8;

/** Of devices as they are: one that changes is another object. */
const texts = new WeakMap<Findable, string>();

/** Whether each word of a search occurs in a device's name, tags, brand, model or description, or begins its id. */
export function isFound(search: string, device: Findable): boolean {
  const words = wordsOf(search);
  if (words.length === 0) return true;
  let text = texts.get(device);
  if (text === undefined) {
    const { name, tags, brand, model, description } = device;
    texts.set(device, (text = plainText([name, ...tags, brand, model, description].join('\n'))));
  }
  return words.every(
    (word) => text.includes(word) || (word.length >= LEAST_OF_ID && device.id.startsWith(word)),
  );
}

/** The search of before and its words: lists ask with the same one for each of thousands of rows. */
let last: { readonly search: string; readonly words: readonly string[] } = { search: '', words: [] };

/** The words of a search, as `plainText` has them. */
export function wordsOf(search: string): readonly string[] {
  if (search !== last.search) last = { search, words: plainText(search).split(/\s+/).filter(Boolean) };
  return last.words;
}

/** A text as searches compare it: without case and accents. */
export function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase();
}

/** Entries of a list that is written with ",": without blanks around them, and without empty ones. */
export const splitList = (text: string): string[] => text.split(',').flatMap((entry) => entry.trim() || []);
