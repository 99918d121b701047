import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Block } from '#core/store/blocks/block/block.ts';
import { Lru } from '#core/store/blocks/query/lru.ts';
import { lockHead, writeHead } from '#core/store/postgres/rows/head.ts';
import { DeviceCache } from '#core/store/postgres/reading/device-cache.ts';
import { mergeSegments } from '#core/store/postgres/upkeep/merging.ts';
import { LANES, placeOf } from '#core/store/postgres/rows/place.ts';
import { sealTail } from '#core/store/postgres/storing/sealing.ts';
import type { RecordStore } from '#core/store/store.ts';
import { isLockAwaited } from '../../../helpers/postgres/given-postgres.ts';
import { hasPostgres, type Postgres } from '../../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../../helpers/postgres/shared-postgres.ts';
import { counting, pageText, record } from '../../../suites/record-store/harness.ts';
import { perform } from '../../../suites/record-store/model-operations.ts';
import { openRecords } from './open-records.ts';

const DEVICE = 'd';
/** Statements of the longest of the acts, and some more. */
const MOST_STATEMENTS = 24;
const STEP = 8;
/** A round of garbage collection would be taken for a statement of the act that is stepped through. */
const NEVER = { tailRows: 1 << 20, cleanUpMs: 86_400_000 };

type Open = Awaited<ReturnType<typeof openRecords>>;
type Act = (opened: Open) => Promise<unknown>;

/** What another process may do at any moment. */
const OTHERS: Readonly<Record<string, Act>> = {
  append: ({ store }) => store.append(DEVICE, [record(20_500, { n: 'new' })]),
  seal: (opened) => seal(opened),
  merge: (opened) => merge(opened),
  'append, seal and append': async (opened) => {
    await opened.store.append(DEVICE, [record(20_400, { n: 'sealed' })]);
    await seal(opened);
    await opened.store.append(DEVICE, [record(20_500, { n: 'new' })]);
  },
  purge: ({ store }) => store.purge(DEVICE, 1),
  'range delete': ({ store }) => store.deleteRange(DEVICE, { start: 5000, end: 30_000 }),
  keep: ({ store }) => store.keep(DEVICE, 'k2', { range: { start: 10_000 } }),
  restore: ({ store }) => store.restore(DEVICE, 'k1'),
  import: async ({ store }) => {
    const batch = await store.batch(DEVICE);
    await batch.add(counting(15, 10));
    await batch.commit();
  },
  replace: async ({ store }) => {
    const act = { kind: 'replace', device: DEVICE, name: 'k3', range: { start: 8000, end: 25_000 } } as const;
    const chunks = [counting(8, 12).map((one) => ({ ...one, received: 7 }))];
    // Who is overtaken reads again.
    for (let isMade: unknown = false; isMade === false;)
      isMade = await perform(store, { ...act, chunks, back: undefined, isFor: 'this' });
  },
};

/** What a process does meanwhile, all of which changes something. */
const WRITES = ['append', 'purge', 'range delete', 'keep', 'restore', 'import', 'replace', 'seal'] as const;

async function seal({ database }: Open): Promise<void> {
  const place = placeOf(DEVICE, LANES);
  await database.change(
    async (transaction) => {
      const head = await lockHead(transaction, place);
      await writeHead(transaction, place, await sealTail(transaction, place, head, 64));
    },
    { lane: place.lane },
  );
}

function merge({ database }: Open): Promise<unknown> {
  const parts = { database, devices: new DeviceCache(database, 1), cache: new Lru<string, Block>(1) };
  return mergeSegments({ ...parts, segmentRows: 1024, isClosing: () => false }, placeOf(DEVICE, LANES));
}

/** Four small segments that overlap, some rows that wait, and some that are kept. */
async function fill(opened: Open): Promise<void> {
  const { store } = opened;
  await store.append(DEVICE, counting(100, 30));
  await store.keep(DEVICE, 'k1', { range: { start: 110_000, end: 120_000 } });
  for (let n = 0; n < 4; n++) {
    await store.append(DEVICE, counting(n, 40));
    await seal(opened);
  }
  await store.append(DEVICE, counting(10, 20));
}

const shown = (store: RecordStore) => pageText(store, DEVICE, { offset: 3, limit: 150 });

describe.skipIf(!hasPostgres)('what one process does between two statements of another', () => {
  let server: Postgres;
  let url: string;
  let hook: (() => Promise<unknown>) | null = null;
  let one: Open;
  let other: Open;
  beforeAll(async () => {
    server = await sharedPostgres();
    url = await server.database();
    one = await openRecords(url, NEVER, {
      before: async () => {
        const act = hook;
        await act?.();
      },
    });
    other = await openRecords(url, NEVER);
  });
  beforeEach(async () => {
    hook = null;
    await other.store.drop(DEVICE);
  });
  afterAll(async () => {
    hook = null;
    await one.close();
    await other.close();
  });

  /** Runs `act`, and before its statement number `at` the one of another. Resolves with whether it had so many. */
  async function between(
    act: () => Promise<unknown>,
    at: number,
    meanwhile: () => Promise<unknown>,
  ): Promise<boolean> {
    let count = 0;
    let isDone = false;
    hook = async () => {
      if (count++ !== at || isDone) return;
      isDone = true;
      await meanwhile();
    };
    await act();
    hook = null;
    return isDone;
  }

  for (const [name, act] of Object.entries(OTHERS))
    test(`a page shows what there was before or after: ${name}`, async () => {
      for (const isWarm of [false, true])
        for (let at = 0; at < MOST_STATEMENTS; at++) {
          await other.store.drop(DEVICE);
          await fill(other);
          if (isWarm) await shown(one.store);
          const before = await shown(other.store);
          let page = '';
          const read = async () => void (page = await shown(one.store));
          const wasReached = await between(read, at, () => act(other));
          if (!wasReached) break;
          const after = await shown(other.store);
          expect([before, after], `statement ${at}`).toContain(page);
          expect(await shown(one.store)).toBe(after);
        }
    });

  for (const first of WRITES)
    test(`${first} and whatever else happens meanwhile are one after the other`, async () => {
      const act = OTHERS[first];
      if (!act) throw new Error(first);
      for (const [place, second] of WRITES.entries()) {
        const meanwhile = OTHERS[second];
        if (!meanwhile) throw new Error(second);
        const serial = new Set<string>();
        for (const order of [
          [act, meanwhile],
          [meanwhile, act],
        ]) {
          await other.store.drop(DEVICE);
          await fill(other);
          for (const each of order) await each(other);
          serial.add(await shown(other.store));
        }
        // Others of its statements with each of the others.
        for (let at = place % STEP; at < MOST_STATEMENTS; at += STEP) {
          await other.store.drop(DEVICE);
          await fill(other);
          let end: Promise<unknown> = Promise.resolve();
          // It may have to wait for the first one, which waits only for what shows that.
          const start = async () => {
            end = meanwhile(other);
            const over = end.then(
              () => true,
              () => true,
            );
            while (!(await Promise.race([over, isLockAwaited(other.database)])));
          };
          const wasReached = await between(() => act(one), at, start);
          await end;
          if (!wasReached) break;
          expect([...serial], `${second} at statement ${at}`).toContain(await shown(other.store));
        }
      }
    });
});
