import type { Micros, TimeRange } from '#shared/values/time.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { isRefusedName } from '../suites/record-store/replace.ts';

/** Something asked of a store. */
export type Act =
  | {
      readonly kind: 'append';
      readonly device: string;
      readonly records: readonly StoredRecord[];
      readonly receipt?: string | undefined;
    }
  | { readonly kind: 'batch'; readonly device: string; readonly chunks: readonly (readonly StoredRecord[])[] }
  | { readonly kind: 'purge'; readonly device: string; readonly at: Micros }
  | { readonly kind: 'delete'; readonly device: string; readonly range: TimeRange }
  | { readonly kind: 'drop'; readonly device: string }
  | {
      readonly kind: 'keep';
      readonly device: string;
      readonly name: string;
      readonly removal: { readonly range: TimeRange } | { readonly at: Micros };
    }
  | Replace
  | { readonly kind: 'restore' | 'discard'; readonly device: string; readonly name: string };

interface Replace {
  readonly kind: 'replace';
  readonly device: string;
  readonly name: string;
  readonly range: TimeRange;
  readonly chunks: readonly (readonly StoredRecord[])[];
  readonly back?: string | undefined;
  /** Of another one than this device comes nothing. */
  readonly isFor: 'this' | 'another revision' | 'another count';
}

export async function perform(store: RecordStore, act: Act): Promise<void> {
  switch (act.kind) {
    case 'append':
      await store.append(act.device, act.records, { receipt: act.receipt });
      return;
    case 'batch': {
      const batch = await store.batch(act.device);
      try {
        for (const chunk of act.chunks) await batch.add(chunk);
        await batch.commit();
        return;
      } catch (error) {
        await batch.abort();
        throw error;
      }
    }
    case 'replace':
      await replace(store, act);
      return;
    case 'purge':
      await store.purge(act.device, act.at);
      return;
    case 'delete':
      await store.deleteRange(act.device, act.range);
      return;
    case 'drop':
      await store.drop(act.device);
      return;
    case 'keep':
      await store.keep(act.device, act.name, act.removal);
      return;
    case 'restore':
      await store.restore(act.device, act.name);
      return;
    case 'discard':
      await store.discard(act.device, act.name);
      return;
  }
}

async function replace(store: RecordStore, { device, name, range, chunks, back }: Replace): Promise<void> {
  const batch = await store.batch(device);
  try {
    for (const chunk of chunks) await batch.add(chunk);
    const [revision, expected] = [await store.revision(device), await store.count(device, range)];
    if (await batch.replace({ name, range, revision, expected, back })) return;
  } catch (error) {
    await batch.abort();
    // The act that was to keep what comes back may have failed.
    if (isRefusedName(error)) return;
    throw error;
  }
  throw new Error(`Device ${device} is another one than it was a moment ago.`);
}

/** What a device holds. */
export interface Content {
  /** In order of arrival. */
  readonly records: readonly StoredRecord[];
  readonly lastSeen: Micros | null;
  readonly purgedAt: Micros | null;
  /** What it stored with is stored no more. */
  readonly receipts: readonly string[];
  /** What was removed and may come back, oldest first. */
  readonly kept: readonly Kept[];
}

interface Kept {
  readonly name: string;
  readonly records: readonly StoredRecord[];
  readonly purge: { readonly at: Micros; readonly before: Micros | null } | null;
}

export const NOTHING: Content = { records: [], lastSeen: null, purgedAt: null, receipts: [], kept: [] };

/** When a record arrived, among all. */
const arrivals = new WeakMap<StoredRecord, number>();
let arrived = 0;

export function applied(content: Content, act: Act): Content {
  switch (act.kind) {
    case 'append':
      if (act.receipt === undefined) return seen(withMore(content, act.records), act.records);
      if (content.receipts.includes(act.receipt)) return content;
      return {
        ...seen(withMore(content, act.records), act.records),
        receipts: [...content.receipts, act.receipt],
      };
    case 'batch':
      // What is imported did not come from the device: no sign of life.
      return withMore(content, act.chunks.flat());
    case 'replace':
      return withReplaced(content, act);
    case 'purge':
      return { ...content, records: [], purgedAt: act.at };
    case 'delete': {
      return { ...content, records: content.records.filter((record) => !isWithin(record, act.range)) };
    }
    case 'drop':
      return NOTHING;
    case 'keep':
      return withKept(content, act);
    case 'restore':
      return withRestored(content, act.name);
    case 'discard':
      return { ...content, kept: content.kept.filter(({ name }) => name !== act.name) };
  }
}

const isWithin = ({ timestamp }: StoredRecord, { start = -Infinity, end = Infinity }: TimeRange) =>
  timestamp >= start && timestamp <= end;

function withMore(content: Content, records: readonly StoredRecord[]): Content {
  // Copies: the same records may arrive again.
  const more = records.map((record) => ({ ...record }));
  for (const record of more) arrivals.set(record, arrived++);
  return { ...content, records: [...content.records, ...more] };
}

function withKept(content: Content, { name, removal }: Act & { readonly kind: 'keep' }): Content {
  if (content.kept.some((each) => each.name === name)) return content;
  const goes = (record: StoredRecord) => 'at' in removal || isWithin(record, removal.range);
  const records = content.records.filter(goes);
  const purge = 'at' in removal ? { at: removal.at, before: content.purgedAt } : null;
  if (purge === null && records.length === 0) return content;
  return {
    ...content,
    records: content.records.filter((record) => !goes(record)),
    purgedAt: purge === null ? content.purgedAt : purge.at,
    kept: [...content.kept, { name, records, purge }],
  };
}

function withRestored(content: Content, name: string): Content {
  const entry = content.kept.find((each) => each.name === name);
  if (!entry) return content;
  const arrival = (record: StoredRecord) => arrivals.get(record) ?? 0;
  return {
    ...content,
    records: [...content.records, ...entry.records].toSorted((a, b) => arrival(a) - arrival(b)),
    purgedAt: entry.purge && entry.purge.at === content.purgedAt ? entry.purge.before : content.purgedAt,
    kept: content.kept.filter((each) => each !== entry),
  };
}

function withReplaced(content: Content, { device, name, range, chunks, back, isFor }: Replace): Content {
  const isKept = (wanted: string) => content.kept.some((each) => each.name === wanted);
  if (isFor !== 'this' || isKept(name) || (back !== undefined && !isKept(back))) return content;
  const taken = withKept(content, { kind: 'keep', device, name, removal: { range } });
  return withMore(back === undefined ? taken : withRestored(taken, back), chunks.flat());
}

function seen(content: Content, records: readonly StoredRecord[]): Content {
  const lastSeen = records.reduce<Micros | null>(
    (latest, { received }) => Math.max(latest ?? received, received),
    null,
  );
  return { ...content, lastSeen: lastSeen ?? content.lastSeen };
}

/** `acknowledged` must be there, `refused` must not, and what was under way or failed in the middle may be. */
export type Outcome = 'acknowledged' | 'unknown' | 'refused';

/** More than this many acts of unknown outcome would make a test that accepts everything. */
const MOST_POSSIBLE = 64;

/** Every content that each device may have after acts of such outcomes, in that order. */
export function possibleContents(
  history: readonly { readonly act: Act; readonly outcome: Outcome }[],
): ReadonlyMap<string, readonly Content[]> {
  const possible = new Map<string, Content[]>();
  for (const { act, outcome } of history) {
    const before = possible.get(act.device) ?? [NOTHING];
    const after = outcome === 'refused' ? [] : before.map((content) => applied(content, act));
    const next = outcome === 'acknowledged' ? after : [...before, ...after];
    if (next.length > MOST_POSSIBLE)
      throw new Error('Too many acts of unknown outcome to tell right from wrong.');
    possible.set(act.device, next);
  }
  return possible;
}
