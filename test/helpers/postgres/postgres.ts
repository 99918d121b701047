import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, statfsSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  openDatabase,
  type Database,
  type DatabaseOptions,
} from '#core/store/postgres/connection/connections.ts';
import { migrate } from '#core/store/postgres/schema/migrate.ts';
import { emptyTables, GIVEN, givenPostgres } from './given-postgres.ts';
import { BINARIES, giveToPostgres, run, whyNoPostgres } from './postgres-programs.ts';

/* A PostgreSQL of one's own, fsync on, with a fresh database for each test. Most tests take that of their worker (shared-postgres.ts). */

export const USER = 'fieldbench';
const INITDB = ['-U', USER, '--auth=trust', '--no-sync', '--locale=C', '-E', 'UTF8'];
const START_MS = 30_000;
const OTHERS_LEFT = 'pre-existing shared memory block';
const TEMPLATE = 'migrated';
const PORTS = { first: 20_000, count: 12_000 };
let asked = 0;

/** Whether tests that need it can run: `describe.skipIf(!hasPostgres)` says so where they cannot. */
export const hasPostgres = GIVEN !== null || whyNoPostgres === null;

export interface Postgres {
  readonly port: number;
  readonly directory: string;
  /** The pid of the process that started all others; null while it does not run. */
  readonly pid: number | null;
  /** The address of a database on it, by default of one that is always there. */
  url(database?: string): string;
  /** A fresh database that is migrated, and its address: a fifth of a second; `empty` is quicker. */
  database(): Promise<string>;
  /** Empties all tables of a database of `database`, which must not be in use. */
  empty(url: string): Promise<void>;
  /** Kills all its processes at once, as a power cut does. */
  kill(): Promise<void>;
  /** Starts it again, over what is on its disk. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

const IN_MEMORY = '/dev/shm';
/** Some systems and containers have 64 MB of it. */
const ROOM_BYTES = 2 * 2 ** 30;

/** In memory where the system offers enough: a kill of processes takes nothing of that, and the tests measure no disk. */
export function quickestFolder(): string {
  if (!existsSync(IN_MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(IN_MEMORY);
  return bavail * bsize < ROOM_BYTES ? tmpdir() : IN_MEMORY;
}

/** How a PostgreSQL is started; none of it is for a database that was given. */
export interface PostgresParts {
  /** Where its own folder is made. */
  readonly folder?: string;
  /** A folder to be made for its write-ahead log; absent: in its own. */
  readonly log?: string;
  /** The folder of its programs. */
  readonly binaries?: string;
}

/** `settings`: as in postgresql.conf. */
export async function startPostgres(
  settings: Readonly<Record<string, string>> = {},
  { folder = quickestFolder(), log, binaries = BINARIES }: PostgresParts = {},
): Promise<Postgres> {
  if (GIVEN !== null) return givenPostgres(GIVEN);
  const root = await mkdtemp(join(folder, 'fieldbench-postgres-'));
  const directory = join(root, 'data');
  await mkdir(directory, { mode: 0o700 });
  await giveToPostgres([root, directory]);
  const made = run(
    'initdb',
    ['-D', directory, ...INITDB, ...(log === undefined ? [] : ['--waldir', log, '--wal-segsize=1'])],
    root,
    binaries,
  );
  const [code] = (await once(made.child, 'exit')) as [number];
  if (code !== 0) throw new Error(`initdb failed:\n${made.said()}`);
  const port = await freePort();
  const wanted = {
    listen_addresses: "'127.0.0.1'",
    unix_socket_directories: "''",
    port: String(port),
    shared_buffers: "'16MB'",
    max_connections: '120',
    min_wal_size: "'32MB'",
    max_wal_size: "'128MB'",
    log_min_messages: 'fatal',
    // Else a start after a kill waits for an fsync of each of a thousand files that never changed.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    ...settings,
  };
  const lines = Object.entries(wanted).map(([name, value]) => `${name} = ${value}\n`);
  await appendFile(join(directory, 'postgresql.conf'), lines.join(''));
  const server = new Server(root, directory, port, binaries);
  await server.start();
  return server;
}

class Server implements Postgres {
  readonly port: number;
  readonly directory: string;
  readonly #root: string;
  readonly #binaries: string;
  #child: ChildProcess | null = null;
  #template: Promise<void> | null = null;

  constructor(root: string, directory: string, port: number, binaries: string) {
    this.#root = root;
    this.#binaries = binaries;
    this.directory = directory;
    this.port = port;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  url(database = 'postgres'): string {
    return `postgres://${USER}@127.0.0.1:${this.port}/${database}`;
  }

  async database(): Promise<string> {
    const name = `d${randomBytes(8).toString('hex')}`;
    // Two that ask at once wait for the same one.
    await (this.#template ??= this.#makeTemplate());
    await using(this.url(), (admin) => admin.ask(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`));
    return this.url(name);
  }

  async #makeTemplate(): Promise<void> {
    await using(this.url(), (admin) => admin.ask(`CREATE DATABASE ${TEMPLATE}`));
    await using(this.url(TEMPLATE), (made) => migrate(made));
  }

  empty(url: string): Promise<void> {
    return using(url, emptyTables);
  }

  async start(until = Date.now() + START_MS): Promise<void> {
    await rm(join(this.directory, 'postmaster.pid'), { force: true });
    const { child, said } = run('postgres', ['-D', this.directory], this.#root, this.#binaries);
    this.#child = child;
    for (;;) {
      if (!isAlive(child)) {
        // One that the killed server had started at that moment has not found out yet that it is alone.
        if (said().includes(OTHERS_LEFT) && Date.now() < until) return this.start(until);
        throw new Error(`postgres ended:\n${said()}`);
      }
      const isUp = await using(this.url(), () => Promise.resolve(true), 1000).catch(() => false);
      if (isUp) return;
      if (Date.now() > until) throw new Error(`postgres does not start:\n${said()}`);
      await delay(25);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || !isAlive(child)) return;
    const ended = once(child, 'exit');
    // It starts no more of them while it stands still.
    child.kill('SIGSTOP');
    const others = await childrenOf(child.pid);
    child.kill('SIGKILL');
    for (const pid of others) signalIfThere(pid, 'SIGKILL');
    await ended;
    this.#child = null;
    while ((await Promise.all(others.map(isRunning))).includes(true)) await delay(5);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child && isAlive(child)) {
      const ended = once(child, 'exit');
      child.kill('SIGQUIT');
      await ended;
    }
    this.#child = null;
    await rm(this.#root, { recursive: true, force: true, maxRetries: 20 });
  }
}

async function using<T>(
  url: string,
  work: (database: Database) => Promise<T>,
  patienceMs = START_MS,
): Promise<T> {
  const options: DatabaseOptions = { url, patienceMs };
  const database = await openDatabase(options);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/**
 * A port for a server that is started a moment later. Systems give a port of their own choice (0) from 32,768 or 49,152 on:
 * of those below nobody takes one in between, and processes begin to look at different ones.
 */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < PORTS.count; tried++) {
    const port = PORTS.first + ((process.pid * 97 + asked++) % PORTS.count);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: unknown) => {
        if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
        throw error;
      },
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error('no free port');
}

/** The processes that a process started, on Linux; elsewhere they end by themselves. */
async function childrenOf(pid: number): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const status = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [, parent] = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (Number(parent) === pid) found.push(Number(name));
  }
  return found;
}

async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // A process that nobody waited for is a zombie, and does nothing more.
  return status !== '' && !status.slice(status.lastIndexOf(')') + 2).startsWith('Z');
}

/** Sends a signal, 0 for none, to a process; says no where there is none. */
export function signalIfThere(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    return false;
  }
}

const isAlive = ({ exitCode, signalCode }: ChildProcess) => exitCode === null && signalCode === null;
