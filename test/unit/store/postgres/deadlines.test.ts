import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { InDoubtError } from '#core/base/errors.ts';
import { machineClock } from '#core/base/machine-clock.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import { systemRandom } from '#core/base/system-random.ts';
import { Database } from '#core/store/postgres/connection/connections.ts';
import { openDatabaseMetadata } from '#core/store/postgres/metadata/database-metadata.ts';
import { CuttingProxy, type Fate } from '../../../helpers/service/cutting-proxy.ts';
import { ownDatabase } from '../../../helpers/postgres/own-database.ts';
import { hasPostgres, startPostgres } from '../../../helpers/postgres/postgres.ts';
import { pageOfN, record } from '../../../suites/record-store/harness.ts';
import { openRecords } from './open-records.ts';

const HOUR_MS = 3_600_000;

/** Somebody sets the clock each time that it is read. */
function setWallClock(stepMs: number): void {
  const present = Date.now;
  let steps = 0;
  vi.spyOn(Date, 'now').mockImplementation(() => present() + stepMs * steps++);
}

describe.skipIf(!hasPostgres)('a deadline', () => {
  const own = ownDatabase();
  afterEach(() => vi.restoreAllMocks());

  test('is kept for records that wait behind others under way, and nothing of them is stored', async () => {
    const released = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const { store, close } = await openRecords(
      own.url,
      {},
      {
        patienceMs: 1000,
        before: async ({ sql, params }) => {
          if (!sql.includes('INSERT INTO tail') || !String(params).includes('held')) return;
          held.resolve();
          await released.promise;
        },
      },
    );
    await store.append('behind', [record(0)]);
    const first = store.append('behind', [record(1)], { receipt: 'held' });
    await held.promise;
    // Each has a receipt, so that none shares a group with another one of its device.
    const waiting = Array.from({ length: 8 }, (_, n) =>
      store.append('behind', [record(2 + n)], { receipt: `r${n}` }).catch((error: unknown) => error),
    );
    for (const error of await Promise.all(waiting)) {
      expect(error).toMatchObject({ code: 'unreachable' });
      // Senders are told to send it again, so nobody may be in doubt.
      expect(error).not.toBeInstanceOf(InDoubtError);
    }
    released.resolve();
    expect(await first).toBe('stored');
    const again = await store.append('behind', [record(2)], { receipt: 'r0' });
    expect(again).toBe('stored');
    expect(await pageOfN(store, 'behind')).toEqual([2, 1, 0]);
    await close();
  });

  test('over a dead wire leaves in doubt what was sent, and refuses the rest', async () => {
    const wire = { fate: 'pass' as Fate };
    const proxy = new CuttingProxy(own.server.port, () => wire.fate);
    const silent = own.url.replace(String(own.server.port), String(await proxy.listen()));
    const { store, close } = await openRecords(silent, {}, { patienceMs: 1000 });
    await store.append('dead', [record(0)]);
    wire.fate = 'silent';
    const ends = Array.from({ length: 8 }, (_, n) =>
      store.append('dead', [record(1 + n)], { receipt: `r${n}` }).catch((error: unknown) => error),
    );
    const [sent, ...rest] = await Promise.all(ends);
    expect(sent).toBeInstanceOf(InDoubtError);
    for (const error of rest) {
      expect(error).toMatchObject({ code: 'unreachable' });
      expect(error).not.toBeInstanceOf(InDoubtError);
    }
    wire.fate = 'pass';
    await close();
    await proxy.close();
    const calm = await openRecords(own.url);
    expect([[0], [1, 0]]).toContainEqual(await pageOfN(calm.store, 'dead'));
    await calm.close();
  });

  test('that a sender brings along is kept, whatever it waited for before', async () => {
    const wire = { fate: 'pass' as Fate };
    const proxy = new CuttingProxy(own.server.port, () => wire.fate);
    const silent = own.url.replace(String(own.server.port), String(await proxy.listen()));
    const { store, database, close } = await openRecords(silent, {}, { patienceMs: 20_000 });
    const metadata = await openDatabaseMetadata({
      database,
      clock: createSystemClock(),
      chance: systemRandom,
    });
    await store.append('along', [record(0)]);
    wire.fate = 'silent';
    const untilMs = machineClock.monotonicIn(3000);
    const unreachable = { code: 'unreachable' };
    const read = Promise.resolve(metadata.read((tables) => tables.list('projects'), { untilMs }));
    await Promise.all([
      expect(store.append('along', [record(1)], { untilMs })).rejects.toMatchObject(unreachable),
      expect(store.append('never', [record(1)], { untilMs })).rejects.toMatchObject(unreachable),
      expect(read).rejects.toMatchObject(unreachable),
    ]);
    // The database itself would have been waited for until long after.
    expect(machineClock.monotonicMs() - untilMs).toBeLessThan(database.patienceMs / 2);
    wire.fate = 'pass';
    await close();
    await proxy.close();
  });

  test('is kept where many hosts let nobody in', async () => {
    const open = new Set<Socket>();
    const frozen = createServer((socket) => open.add(socket)).listen(0, '127.0.0.1');
    await once(frozen, 'listening');
    const { port } = frozen.address() as AddressInfo;
    const hosts = Array.from({ length: 15 }, () => `127.0.0.1:${port}`).join(',');
    const database = new Database({ url: `postgres://me@${hosts}/lab?sslmode=disable`, patienceMs: 1000 });
    const began = performance.now();
    await expect(database.ask('SELECT 1 AS one')).rejects.toMatchObject({ code: 'unreachable' });
    // One after the other they would have taken three times as long.
    expect(performance.now() - began).toBeLessThan(2 * database.patienceMs);
    await database.close();
    for (const socket of open) socket.destroy();
    frozen.close();
  });

  test('is not moved by somebody who sets the clock back', async () => {
    const wire = { fate: 'pass' as Fate };
    const proxy = new CuttingProxy(own.server.port, () => wire.fate);
    const silent = own.url.replace(String(own.server.port), String(await proxy.listen()));
    const { store, close } = await openRecords(silent, {}, { patienceMs: 1000 });
    await store.append('back', [record(0)]);
    wire.fate = 'silent';
    setWallClock(-HOUR_MS);
    const unreachable = { code: 'unreachable' };
    await expect(store.append('back', [record(1)])).rejects.toMatchObject(unreachable);
    await expect(store.count('back')).rejects.toMatchObject(unreachable);
    vi.restoreAllMocks();
    wire.fate = 'pass';
    await close();
    await proxy.close();
  });
});

describe.skipIf(!hasPostgres)('a clock that is set forward', () => {
  afterEach(() => vi.restoreAllMocks());

  test('ends no wait for a database that comes back', async () => {
    const postgres = await startPostgres();
    const { store, close } = await openRecords(await postgres.database(), {}, { patienceMs: 30_000 });
    await store.append('forward', [record(0)]);
    await postgres.kill();
    setWallClock(HOUR_MS);
    const [appended, count] = [store.append('forward', [record(1)]), store.count('forward')];
    const ended = Promise.allSettled([appended, count]);
    vi.restoreAllMocks();
    await postgres.start();
    setWallClock(HOUR_MS);
    expect(await ended).toMatchObject([{ value: 'stored' }, { status: 'fulfilled' }]);
    vi.restoreAllMocks();
    await close();
    await postgres.stop();
  });
});
