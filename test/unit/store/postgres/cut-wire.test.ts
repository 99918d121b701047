import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CuttingProxy, type Fate } from '../../../helpers/service/cutting-proxy.ts';
import { createMemoryRecordStore } from '../../../helpers/store/memory-record-store.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { generator } from '../../../faults/random-crashes.ts';
import { someRuns } from '../../../helpers/some-runs.ts';
import { pageOfN, record } from '../../../suites/record-store/harness.ts';
import { answers, operations, perform, questions } from '../../../suites/record-store/model-operations.ts';
import { openRecords } from './open-records.ts';

const FATES: readonly Fate[] = ['lost', 'unheard', 'unanswered'];
const RUNS = someRuns(96);
/** However long a machine that others use, too, takes to connect anew after many cuts. What ends by patience has its own below. */
const PATIENCE_MS = 60_000;

describe.skipIf(!hasPostgres)('a wire to the database that is cut', () => {
  const own = ownDatabase();

  /** A store behind a wire, of whose pieces `one` in so many is cut off. */
  async function behind(seed: number, one: number) {
    const random = generator(seed);
    const wire = { isCalm: false };
    const proxy = new CuttingProxy(own.server.port, () => {
      if (wire.isCalm || random() * one >= 1) return 'pass';
      return FATES[Math.floor(random() * FATES.length)] ?? 'pass';
    });
    const port = await proxy.listen();
    const opened = await openRecords(
      own.url.replace(String(own.server.port), String(port)),
      { tailRows: 8, segmentRows: 128 },
      { patienceMs: PATIENCE_MS },
    );
    return {
      store: opened.store,
      proxy,
      calm: () => void (wire.isCalm = true),
      async close() {
        wire.isCalm = true;
        await opened.close();
        await proxy.close();
      },
    };
  }

  test('loses and doubles nothing: what was made is found out, what was not is made again', async () => {
    const steps = fc.array(fc.tuple(operations, questions), { minLength: 4, maxLength: 14 });
    let cuts = 0;
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (sequence, seed) => {
        const opened = await behind(seed, 12);
        const model = createMemoryRecordStore();
        try {
          for (const [operation, question] of sequence) {
            if (operation.kind === 'reopen') continue;
            expect(await perform(opened.store, operation)).toEqual(await perform(model, operation));
            expect(await answers(opened.store, question)).toEqual(await answers(model, question));
          }
        } finally {
          // Whatever failed, the next one begins with nothing.
          opened.calm();
          await opened.store.drop('d');
          await opened.store.drop('e');
          await opened.close();
          cuts += opened.proxy.cuts;
        }
      }),
      { numRuns: RUNS },
    );
    expect(cuts).toBeGreaterThan(RUNS);
  });

  test('leaves each of many writers with every record once and in order', async () => {
    const opened = await behind(7, 20);
    const least = 40;
    const apart = 1_000_000;
    // How many commits they make together depends on how many of them one commit takes along.
    const wrote = await Promise.all(
      Array.from({ length: 6 }, async (_, writer) => {
        const numbers: number[] = [];
        while (numbers.length < least || opened.proxy.cuts <= 10) {
          const n = writer * apart + numbers.length;
          expect(await opened.store.append('many', [record(1, { n })])).toBe('stored');
          numbers.push(n);
        }
        return numbers;
      }),
    );
    await opened.close();
    const calm = await openRecords(own.url);
    const found = ((await pageOfN(calm.store, 'many')) as number[]).toReversed();
    expect(found).toHaveLength(wrote.flat().length);
    for (const [writer, numbers] of wrote.entries())
      expect(found.filter((n) => Math.floor(n / apart) === writer)).toEqual(numbers);
    await calm.close();
  });

  test('that says nothing any more keeps nobody waiting for ever', async () => {
    const wire = { fate: 'pass' as Fate };
    const proxy = new CuttingProxy(own.server.port, () => wire.fate);
    const port = await proxy.listen();
    const silent = own.url.replace(String(own.server.port), String(port));
    const { store, close } = await openRecords(silent, {}, { patienceMs: 400 }).then((opened) => ({
      store: opened.store,
      close: () => opened.close(),
    }));
    await store.append('quiet', [record(1)]);
    wire.fate = 'silent';
    const unreachable = { name: 'StoreError', code: 'unreachable' };
    await expect(store.append('quiet', [record(2)])).rejects.toMatchObject(unreachable);
    await expect(store.count('quiet')).rejects.toMatchObject(unreachable);
    wire.fate = 'pass';
    expect(await store.append('quiet', [record(3)])).toBe('stored');
    expect(await store.count('quiet', { start: 3, end: 3 })).toBe(1);
    await close();
    await proxy.close();
  });

  test('keeps none of those who wait behind one another for longer than the first', async () => {
    const patienceMs = 1000;
    const wire = { fate: 'pass' as Fate };
    const proxy = new CuttingProxy(own.server.port, () => wire.fate);
    const port = await proxy.listen();
    const silent = own.url.replace(String(own.server.port), String(port));
    const { store, close } = await openRecords(silent, {}, { patienceMs });
    await store.append('queue', [record(1)]);
    wire.fate = 'silent';
    const began = performance.now();
    // Each has a receipt, so that none shares a group with another one of its device.
    const waited = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const appended = store.append('queue', [record(n)], { receipt: `r${n}` });
        await expect(appended).rejects.toMatchObject({ code: 'unreachable' });
        return performance.now() - began;
      }),
    );
    // One after the other they would have waited for twelve times that long.
    expect(Math.max(...waited)).toBeLessThan(6 * patienceMs);
    wire.fate = 'pass';
    await close();
    await proxy.close();
  });

  test('is tried by one at a time once it is known to be dead', async () => {
    const wire = { fate: 'pass' as Fate };
    const proxy = new CuttingProxy(own.server.port, () => wire.fate);
    const port = await proxy.listen();
    const silent = own.url.replace(String(own.server.port), String(port));
    const { store, close } = await openRecords(silent, {}, { patienceMs: 1000 });
    await store.append('known', [record(1)]);
    wire.fate = 'silent';
    const unreachable = { code: 'unreachable' };
    await expect(store.append('known', [record(2)])).rejects.toMatchObject(unreachable);
    const { cuts } = proxy;
    const reads = Array.from({ length: 50 }, () =>
      expect(store.count('known')).rejects.toMatchObject(unreachable),
    );
    await Promise.all(reads);
    expect(proxy.cuts - cuts).toBeLessThanOrEqual(2);
    wire.fate = 'pass';
    await expect.poll(() => store.count('known').catch(() => null), PATIENTLY).not.toBeNull();
    await close();
    await proxy.close();
  });

  test('is found out of a receipt, whoever sends it again', async () => {
    const opened = await behind(11, 4);
    const ends: string[] = [];
    for (let n = 0; n < 60; n++) {
      const send = () =>
        opened.store.append('again', [record(n)], { receipt: `r${n}` }).catch(() => 'unknown' as const);
      let end = await send();
      while (end === 'unknown') end = await send();
      ends.push(end);
    }
    await opened.close();
    const calm = await openRecords(own.url);
    expect(await calm.store.count('again')).toBe(60);
    expect(ends).toHaveLength(60);
    await calm.close();
  });
});
