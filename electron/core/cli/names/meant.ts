import { nearestOf } from '../../base/slips.ts';

/** A thing that a word of the command line may mean. */
export interface Nameable {
  readonly id: string;
  /** All ways in which its name may be written. */
  readonly names: readonly string[];
}

/** What a word means: one thing, or several, or none; then the name that it nearly is. */
export type Meant<Thing> =
  | { readonly one: Thing }
  | { readonly several: readonly Thing[] }
  | { readonly nearest: string | null };

const plain = (text: string) => text.normalize('NFC').toLowerCase();

/** Returns what a word means: an id before a name, a name before one in another case. */
export function meantBy<Thing extends Nameable>(word: string, things: readonly Thing[]): Meant<Thing> {
  const lower = plain(word);
  const ways: readonly ((thing: Thing) => boolean)[] = [
    ({ id }) => id === word,
    ({ names }) => names.includes(word),
    ({ names }) => names.some((name) => plain(name) === lower),
  ];
  for (const isMeant of ways) {
    const found = things.filter(isMeant);
    const [one, ...others] = found;
    if (one) return others.length === 0 ? { one } : { several: found };
  }
  return {
    nearest: nearestOf(
      word,
      things.flatMap(({ names }) => names),
    ),
  };
}
