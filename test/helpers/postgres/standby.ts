import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { giveToPostgres, run } from './postgres-programs.ts';
import { freePort, startPostgres, USER, type Postgres } from './postgres.ts';

/** A primary and its standby. */
export interface Pair {
  readonly primary: Postgres;
  /** The address of a migrated database, by both hosts. */
  readonly url: string;
  /** The process of the standby; null while it does not run. */
  readonly standbyPid: number | null;
  /** The standby gets nothing more of what the primary is told. */
  fallBehind(): Promise<void>;
  /** The standby's first process is killed; resolves when it is gone. */
  killStandby(): Promise<void>;
  /** Starts the standby over what is on its disk; resolves once it follows as before. */
  startStandby(): Promise<void>;
  /** The primary's processes are killed and its disk is gone; the standby takes its place. */
  failOver(): Promise<void>;
  /** Stops what still runs, and removes all folders. */
  stop(): Promise<void>;
}

const UP_MS = 30_000;

/** `isSynchronous`: no change is acknowledged before both have it on disk. `settings`: of both, as in postgresql.conf. */
export async function startPair({
  isSynchronous = true,
  settings = {},
}: {
  readonly isSynchronous?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
} = {}): Promise<Pair> {
  const primary = await startPostgres(settings);
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
  const startStandby = () => run('postgres', ['-D', directory], root).child;
  let standby: ChildProcess | null = startStandby();
  await follows(primary, isSynchronous);
  const endStandby = async (signal: 'SIGQUIT' | 'SIGKILL') => {
    if (standby === null) return;
    const ended = once(standby, 'exit');
    standby.kill(signal);
    await ended;
    standby = null;
  };
  const stopStandby = () => endStandby('SIGQUIT');

  return {
    primary,
    url: url.replace(/127\.0\.0\.1:\d+/, (host) => `${host},127.0.0.1:${port}`),
    get standbyPid() {
      return standby?.pid ?? null;
    },
    fallBehind: stopStandby,
    killStandby: () => endStandby('SIGKILL'),
    async startStandby() {
      // Those that the killed one had started may not have found out yet that they are alone: then it ends again.
      for (const until = Date.now() + UP_MS; ; await delay(100)) {
        await rm(join(directory, 'postmaster.pid'), { force: true });
        standby = startStandby();
        const ended = once(standby, 'exit').then(() => false);
        const up = isUp(port).then(
          () => true,
          () => false,
        );
        if (await Promise.race([ended, up])) break;
        if (Date.now() > until) throw new Error('The standby does not start.');
      }
      await follows(primary, isSynchronous);
    },
    async failOver() {
      await primary.kill();
      await rm(primary.directory, { recursive: true, force: true });
      // What stands in the way of every change of a primary that has nobody to wait for.
      await appendFile(join(directory, 'postgresql.auto.conf'), "synchronous_standby_names = ''\n");
      if (standby === null) {
        standby = startStandby();
        await isUp(port);
      }
      const promoted = run('pg_ctl', ['promote', '-w', '-D', directory], root);
      const [code] = (await once(promoted.child, 'exit')) as [number];
      if (code !== 0) throw new Error(`The standby was not promoted:\n${promoted.said()}`);
    },
    async stop() {
      await stopStandby();
      await primary.stop();
      await rm(root, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Resolves once a server lets somebody in. */
async function isUp(port: number): Promise<void> {
  for (const until = Date.now() + UP_MS; ; await delay(50)) {
    const isOpen = await openDatabase({
      url: `postgres://${USER}@127.0.0.1:${port}/postgres`,
      patienceMs: 500,
    }).then(
      (database) => database.close().then(() => true),
      // A replica lets in, and says that it is one.
      (error: { readonly code?: string }) => error.code === 'read-only',
    );
    if (isOpen) return;
    if (Date.now() > until) throw new Error('The standby does not start.');
  }
}

/** Resolves once the standby streams what the primary is told; `isSynchronous`: once every change waits for it. */
async function follows(primary: Postgres, isSynchronous: boolean): Promise<void> {
  const database = await openDatabase({ url: primary.url(), patienceMs: UP_MS });
  try {
    if (isSynchronous) {
      await database.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
      await database.ask('SELECT pg_reload_conf()', []);
    }
    const state = isSynchronous ? 'sync' : 'async';
    for (const until = Date.now() + UP_MS; ;) {
      const found = await database.ask(
        "SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = $1",
        [state],
      );
      if (found.length > 0) return;
      if (Date.now() > until) throw new Error('The standby does not follow its primary.');
    }
  } finally {
    await database.close();
  }
}
