import { byText } from '#shared/values/text.ts';
import { formatCount } from '#shared/values/counts.ts';
import type { RecordStore, Viewed } from '../../store/store.ts';

/** Keys of devices that are named where one that is asked for is not among them. */
const MOST_NAMED = 5;

/** Keys that are asked for of devices, and what these are called. */
export interface AskedKeys {
  readonly called: string;
  readonly devices: readonly Viewed[];
  readonly keys: readonly string[];
}

type Reads = Pick<RecordStore, 'latest' | 'keys'>;

/**
 * Resolves for each question with which of its keys none of its devices ever stored, in words; null where they stored all of them, or
 * nothing at all. Rejects with StoreError, or as the signal's reason.
 */
export async function unseenKeys(
  asked: readonly AskedKeys[],
  records: Reads,
  signal?: AbortSignal,
): Promise<readonly (string | null)[]> {
  const first = asked.flatMap(({ devices, keys }) => devices.slice(0, 1).map((device) => ({ device, keys })));
  const latest = await records.latest(first.filter(({ keys }) => keys.length > 0));
  const said: (string | null)[] = [];
  let place = 0;
  for (const each of asked) {
    const isAsked = each.keys.length > 0 && each.devices.length > 0;
    const seen = isAsked ? (latest[place++] ?? []) : [];
    // Mostly the first device has them all.
    const isSeen = !isAsked || each.keys.every((key) => seen.some((value) => value.key === key));
    said.push(isSeen ? null : await wordsOf(each, records, signal));
  }
  return said;
}

/** A value that is flagged is no latest one; its key is stored all the same. */
async function wordsOf(
  { called, devices, keys }: AskedKeys,
  records: Reads,
  signal: AbortSignal | undefined,
): Promise<string | null> {
  const stored = new Set<string>();
  const unseen = new Set(keys);
  for (const device of devices) {
    for (const key of await records.keys(device, signal)) {
      stored.add(key);
      unseen.delete(key);
    }
    if (unseen.size === 0) return null;
  }
  if (stored.size === 0) return null;
  const has = devices.length === 1 ? 'it has' : 'they have';
  return `No record of ${called} has ${listed([...unseen], 'or')} so far; ${has} ${nearest([...stored], [...unseen])}.`;
}

/** Stored keys, those first that have one of the asked in their name or stand in it. */
function nearest(stored: readonly string[], unseen: readonly string[]): string {
  const isNear = (key: string) => unseen.some((other) => within(key, other) || within(other, key));
  const ordered = stored.toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)) || byText(a, b));
  const others = ordered.length - MOST_NAMED;
  if (others <= 0) return listed(ordered, 'and');
  return `${ordered.slice(0, MOST_NAMED).map(quoted).join(', ')} and ${formatCount(others)} more`;
}

const within = (part: string, whole: string) => whole.toLowerCase().includes(part.toLowerCase());
const quoted = (key: string) => `"${key}"`;
const listed = (keys: readonly string[], word: 'and' | 'or') =>
  [keys.slice(0, -1).map(quoted).join(', '), ...keys.slice(-1).map(quoted)].filter(Boolean).join(` ${word} `);
