import { deepStrictEqual } from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';
import { collectGarbage } from '#core/store/postgres/upkeep/garbage-collection.ts';
import { migrate } from '#core/store/postgres/schema/migrate.ts';
import { openPostgresRecords } from '#core/store/postgres/records.ts';
import { generator } from '../../faults/random-crashes.ts';
import { startPostgres } from '../../helpers/postgres/postgres.ts';
import { expectHistory, expectNoOrphans, History } from './history.ts';

const WRITER = join(import.meta.dirname, 'writer.ts');
const WRITERS = 3;

/** How often each is done, in any order. */
export interface Kills {
  /** kill -9 of a process that stores. */
  readonly services: number;
  /** kill -9 of all processes of the database. */
  readonly databases: number;
  /** SIGSTOP of a process that stores, for longer than its imports may be silent; it goes on afterwards. */
  readonly pauses: number;
  /** Milliseconds between two of them, at most. */
  readonly everyMs: number;
}

/**
 * Three processes store on the same devices of one database while processes are killed and paused. Throws AssertionError
 * where something was lost, doubled, out of order or left over; resolves with what was done.
 */
export async function killedCluster(seed: number, kills: Kills): Promise<string> {
  const random = generator(seed);
  const server = await startPostgres();
  const history = new History();
  let numbers = 0;
  const writers = new Set<Writer>();
  try {
    const url = await server.database();
    const start = async () => {
      const writer = new Writer(url, numbers++, history);
      writers.add(writer);
      await writer.up;
    };
    await Promise.all(Array.from({ length: WRITERS }, start));
    for (const kind of shuffled(kills, random)) {
      await delay(random() * kills.everyMs);
      if (kind === 'databases') {
        await server.kill();
        await server.start();
        continue;
      }
      const chosen = [...writers][Math.floor(random() * writers.size)];
      if (!chosen) throw new Error('no writer is left');
      if (kind === 'pauses') {
        await chosen.pause(5500);
        continue;
      }
      writers.delete(chosen);
      await chosen.kill();
      await start();
    }
    await delay(kills.everyMs);
    await Promise.all([...writers].map((writer) => writer.kill()));
    deepStrictEqual(history.failures, []);
    const stored = await examine(url, history);
    return (
      `${kills.services} kills of services, ${kills.databases} of the database, ${kills.pauses} pauses: ` +
      `${history.acknowledged} records and ${history.committed.size} imports acknowledged, ${stored} records stored`
    );
  } finally {
    await Promise.all([...writers].map((writer) => writer.kill()));
    await server.stop();
  }
}

async function examine(url: string, history: History): Promise<number> {
  const database = await openDatabase({ url });
  const layout = await migrate(database);
  const store = openPostgresRecords(database, layout);
  try {
    const stored = await expectHistory(store, history);
    await collectGarbage(database, { goneSeconds: 0, silentSeconds: 0 }, () => true);
    await expectNoOrphans(database, store);
    // Nothing of what was removed was of use to anybody.
    await expectHistory(store, history);
    return stored;
  } finally {
    await store.close();
    await database.close();
  }
}

class Writer {
  readonly up: Promise<void>;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #isKilled = false;

  constructor(url: string, number: number, history: History) {
    const child = spawn(process.execPath, [WRITER, url, String(number)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.up = promise;
    const lines = createInterface({ input: child.stdout });
    const heard = once(lines, 'close');
    lines.on('line', (line) => {
      // The last line may be cut off by the kill; what it would have said counts as not said.
      if (line === 'up') resolve();
      else if (/^(?:call|done) d\d \d+ \d{10,}$|^commit(?:ted)? \d+$/.test(line)) history.hear(line);
      else history.failures.push(`a writer said: ${line}`);
    });
    this.#ended = this.#end(child, heard, (why) => {
      history.failures.push(why);
      reject(new Error(why));
    });
  }

  async #end(child: ChildProcess, heard: Promise<unknown>, failed: (why: string) => void): Promise<void> {
    await Promise.all([once(child, 'exit'), heard]);
    if (!this.#isKilled) failed('a writer ended by itself');
  }

  async kill(): Promise<void> {
    this.#isKilled = true;
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  async pause(ms: number): Promise<void> {
    this.#child.kill('SIGSTOP');
    await delay(ms);
    this.#child.kill('SIGCONT');
  }
}

function shuffled(kills: Kills, random: () => number): ('services' | 'databases' | 'pauses')[] {
  const all = (['services', 'databases', 'pauses'] as const).flatMap((kind) =>
    Array.from({ length: kills[kind] }, () => ({ kind, place: random() })),
  );
  return all.toSorted((a, b) => a.place - b.place).map(({ kind }) => kind);
}
