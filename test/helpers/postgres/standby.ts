import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { giveToPostgres, run } from './postgres-programs.ts';
import { freePort, startPostgres, USER, type Postgres } from './postgres.ts';

/** A primary and a synchronous standby: no change is acknowledged before both have it on disk. */
export interface Pair {
  readonly primary: Postgres;
  /** The address of a migrated database, by both hosts. */
  readonly url: string;
  /** The primary's processes are killed and its disk is gone; the standby takes its place. */
  failOver(): Promise<void>;
  /** Stops what still runs, and removes all folders. */
  stop(): Promise<void>;
}

const UP_MS = 30_000;

export async function startPair(): Promise<Pair> {
  const primary = await startPostgres();
  const root = await mkdtemp(join(tmpdir(), 'fieldbench-standby-'));
  const directory = join(root, 'data');
  const url = await primary.database();
  // A copy of a disk after a power cut is a backup: the log has what it lacks.
  await primary.kill();
  await cp(primary.directory, directory, { recursive: true });
  await rm(join(directory, 'postmaster.pid'), { force: true });
  await primary.start();
  const port = await freePort();
  const from = `host=127.0.0.1 port=${primary.port} user=${USER} application_name=standby`;
  await appendFile(
    join(directory, 'postgresql.conf'),
    `port = ${port}\nprimary_conninfo = '${from}'\nwal_retrieve_retry_interval = '100ms'\n`,
  );
  await writeFile(join(directory, 'standby.signal'), '');
  await chmod(directory, 0o700);
  const names = await readdir(root, { recursive: true });
  await giveToPostgres([root, ...names.map((name) => join(root, name))]);
  let standby: ChildProcess | null = run('postgres', ['-D', directory], root).child;
  await follows(primary);

  return {
    primary,
    url: url.replace(/127\.0\.0\.1:\d+/, (host) => `${host},127.0.0.1:${port}`),
    async failOver() {
      await primary.kill();
      await rm(primary.directory, { recursive: true, force: true });
      // What stands in the way of every change of a primary that has nobody to wait for.
      await appendFile(join(directory, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
      const promoted = run('pg_ctl', ['promote', '-w', '-D', directory], root);
      const [code] = (await once(promoted.child, 'exit')) as [number];
      if (code !== 0) throw new Error(`The standby was not promoted:\n${promoted.said()}`);
    },
    async stop() {
      if (standby) {
        const ended = once(standby, 'exit');
        standby.kill('SIGQUIT');
        await ended;
        standby = null;
      }
      await primary.stop();
      await rm(root, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Resolves once every change of the primary waits for the standby. */
async function follows(primary: Postgres): Promise<void> {
  const database = await openDatabase({ url: primary.url(), patienceMs: UP_MS });
  try {
    await database.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    await database.ask('SELECT pg_reload_conf()', []);
    for (const until = Date.now() + UP_MS; ;) {
      const found = await database.ask("SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'", []);
      if (found.length > 0) return;
      if (Date.now() > until) throw new Error('The standby does not follow its primary.');
    }
  } finally {
    await database.close();
  }
}
