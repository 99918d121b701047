import { deepStrictEqual, ok } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { RecordStore } from '#core/store/store.ts';
import { scanned } from '../suites/record-store/harness.ts';
import { BATCH_RECORDS } from './writer.ts';

/** What was acknowledged before the kill. */
export interface Acknowledged {
  /** "device writer" → its last number. */
  readonly stored: Map<string, number>;
  readonly batches: Set<string>;
  /** First record that is still there: as acknowledged, and as last asked for. */
  removed: number;
  removing: number;
}

/** A store in a folder of its own. `module` is the file that exports `name`, which opens the store in a folder. */
export interface Victim {
  readonly module: string;
  readonly name: string;
  readonly directory: string;
}

export const nothingYet = (): Acknowledged => ({
  stored: new Map(),
  batches: new Set(),
  removed: 0,
  removing: 0,
});

/**
 * When a process is killed: once it has said so many lines and committed so many batches, and so many ms later, so that it is
 * somewhere between two of them. Not by time alone: how far it comes in some ms is the machine's affair.
 */
interface Moment {
  readonly lines: number;
  readonly batches: number;
  readonly ms: number;
}

/** Up to a few removals and batches; a batch at least in every other round. `random` is from 0 up to, not including, 1. */
export function someMoment(round: number, random: () => number): Moment {
  return { lines: Math.floor(random() * 300), batches: round % 2, ms: random() * 8 };
}

/** Records that a writer of writer.ts sends at once, at most. */
const IN_FLIGHT = 4;

/**
 * Kills a process that stores records, and expects all that was `ever` acknowledged in this and earlier rounds, once. Throws
 * AssertionError where it is not so.
 */
export async function killRound(
  victim: Victim,
  round: number,
  moment: Moment,
  ever: Acknowledged,
): Promise<void> {
  const { module, name, directory } = victim;
  const said = await storeUntilKilled([module, name, directory, String(round)], moment);
  for (const [writer, n] of said.stored) ever.stored.set(writer, n);
  for (const batch of said.batches) ever.batches.add(batch);
  const { [name]: open } = (await import(module)) as Record<
    string,
    (options: { directory: string }) => Promise<RecordStore>
  >;
  const store = await open?.({ directory });
  if (!store) throw new Error(`"${module}" does not export "${name}".`);
  try {
    for (const device of ['a', 'b']) await expectWriters(store, device, ever);
    await expectBatches(store, ever);
    await expectRemovals(store, `removed-${round}`, said);
    await expectKept(store, `kept-${round}`, said);
    await expectReplaced(store, `replaced-${round}`, said);
    deepStrictEqual(
      store.recovery.filter(({ kind }) => kind === 'damaged'),
      [],
      'a kill was taken for damage',
    );
  } finally {
    await store.close();
  }
}

/** Runs writer.ts, kills it, and answers what it had said by then. */
async function storeUntilKilled(args: string[], moment: Moment): Promise<Acknowledged> {
  const said = nothingYet();
  const child = spawn(process.execPath, [fileURLToPath(new URL('writer.ts', import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close') as Promise<[code: number | null, signal: string | null]>;
  let complaint = '';
  child.stderr.on('data', (text: Buffer) => (complaint += text.toString()));
  let lines = 0;
  let killing: NodeJS.Timeout | null = null;
  for await (const line of createInterface(child.stdout)) {
    const [what, ...words] = line.split(' ');
    if (what === 'stored') said.stored.set(words.slice(0, 2).join(' '), Number(words[2]));
    else if (what === 'batch') said.batches.add(String(words[1]));
    else if (what === 'removing') said.removing = Number(words[0]);
    else if (what === 'removed') said.removed = Number(words[0]);
    if (++lines > moment.lines && said.batches.size >= moment.batches)
      killing ??= setTimeout(() => child.kill('SIGKILL'), moment.ms);
  }
  const [, signal] = await ended;
  if (signal !== 'SIGKILL') throw new Error(`The writer ended by itself: ${complaint}`);
  return said;
}

/** The value of a key in each record that has it, by the value of another. */
async function numbersBy(store: RecordStore, device: string, key: string): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const { keys, values } of await scanned(store, device)) {
    const at = keys.indexOf(key);
    if (at < 0) continue;
    const owner = String(values[at]);
    const numbers = found.get(owner) ?? [];
    numbers.push(Number(values[keys.indexOf('n')]));
    found.set(owner, numbers);
  }
  for (const numbers of found.values()) numbers.sort((a, b) => a - b);
  return found;
}

const upTo = (count: number, first = 0) => Array.from({ length: count }, (_, i) => first + i);

/** Each writer's numbers are 0, 1, 2 … without a gap, at least to the last acknowledged one. */
async function expectWriters(store: RecordStore, device: string, ever: Acknowledged): Promise<void> {
  const found = await numbersBy(store, device, 'writer');
  for (const [writer, numbers] of found) deepStrictEqual(numbers, upTo(numbers.length), `writer ${writer}`);
  for (const [name, last] of ever.stored) {
    const [of, writer = ''] = name.split(' ');
    if (of !== device) continue;
    const { length } = found.get(writer) ?? [];
    ok(length > last, `writer ${name}: acknowledged up to ${last}, found ${length} records`);
    ok(length <= last + 1 + IN_FLIGHT, `writer ${name}: acknowledged up to ${last}, found ${length} records`);
  }
}

/** Committed batches are whole; what else is there is whole, too, and was never aborted. */
async function expectBatches(store: RecordStore, ever: Acknowledged): Promise<void> {
  const found = await numbersBy(store, 'a', 'batch');
  for (const [batch, numbers] of found) {
    deepStrictEqual(numbers, upTo(BATCH_RECORDS), `batch ${batch}`);
    ok(Number(batch.split('.')[1]) % 4 !== 3, `batch ${batch} was aborted and is there`);
  }
  const lost = [...ever.batches].filter((batch) => !found.has(batch));
  deepStrictEqual(lost, [], 'committed batches are missing');
}

/** The records from the last removal on, where the one under way may have happened or not. */
async function expectRemovals(store: RecordStore, device: string, said: Acknowledged): Promise<void> {
  const acknowledged = (said.stored.get(`${device} w`) ?? -1) + 1;
  const numbers = (await numbersBy(store, device, 'writer')).get('w') ?? [];
  const first = numbers[0] ?? said.removing;
  ok(
    [said.removed, said.removing].includes(first),
    `removed up to ${said.removed}, the first left is ${first}`,
  );
  deepStrictEqual(numbers, upTo(numbers.length, first), `device ${device}`);
  ok(
    first + numbers.length >= acknowledged,
    `${acknowledged} acknowledged, the last found is ${numbers.at(-1)}`,
  );
  const { lastSeen } = await store.summary(device);
  if (acknowledged > 0) ok((lastSeen ?? -1) >= acknowledged - 1, `last seen at ${lastSeen}`);
}

/** Every record is there or kept, none both; and what is kept comes back. */
async function expectKept(store: RecordStore, device: string, said: Acknowledged): Promise<void> {
  const acknowledged = (said.stored.get(`${device} w`) ?? -1) + 1;
  const numbers = async () => (await numbersBy(store, device, 'writer')).get('w') ?? [];
  const kept = await store.kept(device);
  const there = (await numbers()).length + kept.reduce((sum, { records }) => sum + records, 0);
  for (const { name } of kept) ok(await store.restore(device, name), `"${name}" of ${device} is not kept`);
  const found = await numbers();
  deepStrictEqual(found, upTo(found.length), `device ${device}`);
  deepStrictEqual(there, found.length, `device ${device}: there or kept`);
  ok(found.length >= acknowledged, `${device}: ${acknowledged} acknowledged, ${found.length} found`);
}

/** Every record is there, once: what took its place, or what came back. */
async function expectReplaced(store: RecordStore, device: string, said: Acknowledged): Promise<void> {
  const acknowledged = (said.stored.get(`${device} w`) ?? -1) + 1;
  const found = (await numbersBy(store, device, 'writer')).get('w') ?? [];
  deepStrictEqual(found, upTo(found.length), `device ${device}`);
  ok(found.length >= acknowledged, `${device}: ${acknowledged} acknowledged, ${found.length} found`);
}
