/*
 * A process that stores records until it is killed: `node writer.ts <module> <export> <directory> <round>`. It opens
 * the store with `export({ directory })` of the module and prints a line before and after what must not get lost:
 *
 *   stored <device> <writer> <n>   the writer's records 0 to n are acknowledged
 *   batch <device> <b>             batch b is committed; its records carry `batch: b`
 *   removing|removed <n>           of the device "removed-<round>", records below n are to go | have gone
 */
import { writeSync } from 'node:fs';
import { errorCode } from '#core/disk/errors.ts';
import type { RecordStore, Replacement, StoredRecord } from '#core/store/store.ts';

const WRITERS_PER_DEVICE = 3;
export const BATCH_RECORDS = 40;

const nothing = new Int32Array(new SharedArrayBuffer(4));

/** Not console.log: it must have left the process before the next line of code runs. */
function say(...words: (string | number)[]): void {
  for (;;) {
    try {
      writeSync(1, `${words.join(' ')}\n`);
      return;
    } catch (error) {
      // Where worker threads run the pipe does not block: it is full until the reader comes to it.
      if (errorCode(error) !== 'EAGAIN') throw error;
      Atomics.wait(nothing, 0, 0, 1);
    }
  }
}

/** Of few distinct times, so that equal timestamps, late records and live ones mix. */
const timeOf = (n: number) => (n * 7919) % 500;

const record = (n: number, fields: Record<string, string | number>): StoredRecord => ({
  timestamp: timeOf(n),
  received: n,
  keys: [...Object.keys(fields), 'n'],
  values: [...Object.values(fields), n],
});

async function keepStoring(store: RecordStore, device: string, writer: string): Promise<never> {
  for (let n = 0; ;) {
    const count = 1 + (n % 4);
    await store.append(
      device,
      Array.from({ length: count }, (_, i) => record(n + i, { writer, text: 'x'.repeat(n % 300) })),
    );
    n += count;
    say('stored', device, writer, n - 1);
  }
}

async function keepCommitting(store: RecordStore, device: string, round: string): Promise<never> {
  for (let b = 0; ; b++) {
    const batch = await store.batch(device);
    const name = `${round}.${b}`;
    const half = BATCH_RECORDS / 2;
    await batch.add(Array.from({ length: half }, (_, n) => record(n, { batch: name })));
    await batch.add(Array.from({ length: half }, (_, n) => record(half + n, { batch: name })));
    if (b % 4 === 3) {
      await batch.abort();
    } else {
      await batch.commit();
      say('batch', device, name);
    }
  }
}

/** Record n has time n, so that range deletes take the oldest. */
async function keepRemoving(store: RecordStore, device: string): Promise<never> {
  for (let n = 0, first = 0; ;) {
    for (let i = 0; i < 6; i++, n++) {
      await store.append(device, [{ ...record(n, { writer: 'w' }), timestamp: n }]);
      say('stored', device, 'w', n);
    }
    const purge = n % 4 === 0;
    first = purge ? n : Math.floor((first + n) / 2);
    say('removing', first);
    if (purge) await store.purge(device, n);
    else await store.deleteRange(device, { end: first - 1 });
    say('removed', first);
  }
}

/** Removes records so that they can come back, and has most of them back; record n has time n. */
async function keepKeeping(store: RecordStore, device: string): Promise<never> {
  for (let n = 0; ;) {
    const first = n;
    for (let i = 0; i < 6; i++, n++) {
      await store.append(device, [{ ...record(n, { writer: 'w' }), timestamp: n }]);
      say('stored', device, 'w', n);
    }
    const name = `k${n}`;
    await store.keep(device, name, n % 4 === 0 ? { at: n } : { range: { start: first - 3, end: n - 3 } });
    if (n % 18 !== 0) await store.restore(device, name);
  }
}

/**
 * Puts others of the same times in place of records, undoes that and does it again; record n has time n. Whatever is made, each
 * is there once.
 */
async function keepReplacing(store: RecordStore, device: string): Promise<never> {
  for (let n = 0; ;) {
    const range = { start: n - 4, end: n + 3 };
    for (let i = 0; i < 6; i++, n++) {
      await store.append(device, [{ ...record(n, { writer: 'w' }), timestamp: n }]);
      say('stored', device, 'w', n);
    }
    await replaceIn(store, device, { name: `a${n}`, range }, (old) => old);
    if (n % 4 === 0) continue;
    await store.append(device, [{ ...record(n, { writer: 'w' }), timestamp: n - 4 }]);
    say('stored', device, 'w', n);
    const late = n++;
    const isLate = ({ received }: StoredRecord) => received === late;
    await replaceIn(store, device, { name: `b${n}`, range, back: `a${late}` }, (old) => old.filter(isLate));
    if (n % 3 === 0) await replaceIn(store, device, { name: `c${n}`, range, back: `b${n}` }, () => []);
  }
}

async function replaceIn(
  store: RecordStore,
  device: string,
  change: Pick<Replacement, 'name' | 'range' | 'back'>,
  others: (old: readonly StoredRecord[]) => readonly StoredRecord[],
): Promise<void> {
  const [revision, old] = [await store.revision(device), [] as StoredRecord[]];
  for await (const some of store.scan(device, change.range)) old.push(...some);
  const batch = await store.batch(device);
  await batch.add(others(old));
  if (!(await batch.replace({ ...change, revision, expected: old.length })))
    throw new Error(`${change.name} of ${device} was not made.`);
}

async function main([module = '', name = '', directory, round = '0']: string[]): Promise<void> {
  const { [name]: open } = (await import(module)) as Record<
    string,
    (options: { directory: string | undefined }) => Promise<RecordStore>
  >;
  if (!open) throw new Error(`"${module}" does not export "${name}".`);
  const store = await open({ directory });
  const writers = ['a', 'b'].flatMap((device) =>
    Array.from({ length: WRITERS_PER_DEVICE }, (_, i) => keepStoring(store, device, `${round}.${i}`)),
  );
  await Promise.all([
    ...writers,
    keepCommitting(store, 'a', round),
    keepRemoving(store, `removed-${round}`),
    keepKeeping(store, `kept-${round}`),
    keepReplacing(store, `replaced-${round}`),
  ]);
}

if (import.meta.main) await main(process.argv.slice(2));
