import { AssertionError, deepStrictEqual } from 'node:assert/strict';
import type { RecordStore, StoredRecord, Value } from '#core/store/store.ts';
import { recordJson } from '#core/store/record-json.ts';
import { pageText, record, scanned } from '../suites/record-store/harness.ts';
import { applied, type Content } from './history.ts';

/** Expects that each device holds one of its possible contents, and that every way of asking says so; answers which. */
export async function checkContents(
  store: RecordStore,
  possible: ReadonlyMap<string, readonly Content[]>,
): Promise<Map<string, Content>> {
  const found = new Map<string, Content>();
  for (const [device, contents] of possible) found.set(device, await checkDevice(store, device, contents));
  return found;
}

/**
 * Sends something with every receipt that a device may have, and expects that it is stored where what the receipt came
 * with is not there, and only then. Answers what each device holds now.
 */
export async function checkReceipts(
  store: RecordStore,
  found: ReadonlyMap<string, Content>,
  possible: ReadonlyMap<string, readonly Content[]>,
): Promise<Map<string, Content>> {
  const now = new Map<string, Content>();
  const sent: Promise<void>[] = [];
  for (const [device, content] of found) {
    let held = content;
    for (const receipt of new Set(possible.get(device)?.flatMap(({ receipts }) => receipts))) {
      const act = { kind: 'append', device, records: [record(2600, { again: receipt })], receipt } as const;
      const expected = held.receipts.includes(receipt) ? 'duplicate' : 'stored';
      const check = async () =>
        deepStrictEqual(
          await store.append(device, act.records, { receipt }),
          expected,
          `device "${device}", receipt "${receipt}"`,
        );
      sent.push(check());
      held = applied(held, act);
    }
    now.set(device, held);
  }
  await Promise.all(sent);
  return now;
}

async function checkDevice(
  store: RecordStore,
  device: string,
  contents: readonly Content[],
): Promise<Content> {
  const records = await checkAnswers(store, device);
  const { lastSeen, purgedAt } = await store.summary(device);
  const said = records.map(text);
  const kept = (await store.kept(device)).map((each) => `${each.name}: ${each.records}`);
  const match = contents.find(
    (content) =>
      content.lastSeen === lastSeen &&
      content.purgedAt === purgedAt &&
      sameTexts(kept, keptTexts(content)) &&
      sameTexts(said, oldestFirst(content).map(text)),
  );
  if (match) return match;
  const [closest] = contents.toSorted((a, b) => distance(a, said) - distance(b, said));
  throw new AssertionError({
    message: `device "${device}" holds none of its ${contents.length} possible contents; the closest:`,
    actual: { lastSeen, purgedAt, records: said, kept },
    expected: closest && {
      ...closest,
      records: oldestFirst(closest).map(text),
      kept: keptTexts(closest),
    },
  });
}

/** Expects that all ways of asking about a device agree; answers its records, oldest first. */
export async function checkAnswers(store: RecordStore, device: string): Promise<StoredRecord[]> {
  const records = await scanned(store, device);
  const newestFirst = records.toReversed();
  const limit = records.length + 5;
  deepStrictEqual(
    await pageText(store, device, { offset: 0, limit }),
    `[${newestFirst.map((one) => recordJson(one)).join(',')}]`,
    `the page of device "${device}" is not what a scan finds`,
  );
  const middle = records[records.length >> 1]?.timestamp ?? 0;
  const { first, last, records: count, keys } = await store.summary(device);
  deepStrictEqual(
    { first, last, count, keys, older: await store.count(device, { end: middle }) },
    {
      first: records[0]?.timestamp ?? null,
      last: records.at(-1)?.timestamp ?? null,
      count: records.length,
      keys: keysOf(records),
      older: records.filter(({ timestamp }) => timestamp <= middle).length,
    },
    `the summary of device "${device}" is not what a scan finds`,
  );
  return records;
}

function keysOf(records: readonly StoredRecord[]) {
  const values = new Map<string, Value[]>();
  for (const one of records)
    for (const [i, key] of one.keys.entries())
      values.set(key, [...(values.get(key) ?? []), one.values[i] as Value]);
  return [...values.keys()].toSorted().map((key) => ({
    key,
    count: values.get(key)?.length ?? 0,
    numeric: values.get(key)?.filter((value) => typeof value !== 'string').length ?? 0,
  }));
}

const keptTexts = ({ kept }: Content) => kept.map(({ name, records }) => `${name}: ${records.length}`);

function oldestFirst({ records }: Content): readonly StoredRecord[] {
  return records.toSorted((a, b) => a.timestamp - b.timestamp);
}

/** A record as text, the same for the same record only. */
export function text({ timestamp, received, keys, values }: StoredRecord): string {
  const cells = keys.map((key, i) => `${JSON.stringify(key)}=${valueText(values[i] as Value)}`);
  return `${timestamp} ${received} ${cells.toSorted().join(' ')}`;
}

function valueText(value: Value): string {
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}

function distance(content: Content, said: readonly string[]): number {
  const left = new Set(content.records.map(text));
  return Math.abs(left.size - said.length) + said.filter((one) => !left.has(one)).length;
}
