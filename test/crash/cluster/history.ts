import { deepStrictEqual, ok } from 'node:assert/strict';
import type { Database } from '#core/store/postgres/connection/connections.ts';
import type { RecordStore } from '#core/store/store.ts';
import { scanned } from '../../suites/record-store/harness.ts';

export const DEVICES = ['d0', 'd1', 'd2', 'd3'];
export const IMPORTS = 'imports';
export const BATCH_RECORDS = 40;
/** Numbers of a writer: writer 3 has 3,000,000 and what follows. */
export const PER_WRITER = 1_000_000;

interface Call {
  readonly device: string;
  /** CLOCK_MONOTONIC, in ns. */
  readonly called: bigint;
  done: bigint | null;
}

/** All that writers said they were about to do, and were told. */
export class History {
  readonly calls = new Map<number, Call>();
  readonly begun = new Set<number>();
  readonly committed = new Set<number>();
  /** What no writer should have said or done. */
  readonly failures: string[] = [];

  /** Takes a line of a writer; throws for one that is none. */
  hear(line: string): void {
    const [word, ...rest] = line.split(' ');
    if (word === 'call') {
      const [device = '', n, at = ''] = rest;
      this.calls.set(Number(n), { device, called: BigInt(at), done: null });
    } else if (word === 'done') {
      const [, n, at = ''] = rest;
      const call = this.calls.get(Number(n));
      if (!call) throw new Error(`nobody called: ${line}`);
      call.done = BigInt(at);
    } else if (word === 'commit') {
      this.begun.add(Number(rest[0]));
    } else if (word === 'committed') {
      this.committed.add(Number(rest[0]));
    } else if (word !== 'up') {
      throw new Error(`a writer said: ${line}`);
    }
  }

  get acknowledged(): number {
    return [...this.calls.values()].filter(({ done }) => done !== null).length;
  }
}

/**
 * Expects what is stored to be what was acknowledged, and of the rest what was asked for, once, in an order in which it may
 * have happened: a record that was acknowledged before another one was sent arrived before it. Resolves with how many there are.
 */
export async function expectHistory(store: RecordStore, history: History): Promise<number> {
  let stored = 0;
  for (const device of DEVICES) {
    const found = (await scanned(store, device)).map(({ values }) => Number(values[0]));
    stored += found.length;
    ok(new Set(found).size === found.length, `records of ${device} are there twice`);
    const there = new Set(found);
    for (const [n, call] of history.calls)
      if (call.device === device && call.done !== null) ok(there.has(n), `record ${n} of ${device} is lost`);
    let earliestDone: bigint | null = null;
    for (const n of found.toReversed()) {
      const call = history.calls.get(n);
      ok(call?.device === device, `nobody sent record ${n} to ${device}`);
      ok(
        earliestDone === null || earliestDone >= call.called,
        `record ${n} of ${device} lies before one that was acknowledged before it was sent`,
      );
      if (call.done !== null && (earliestDone === null || call.done < earliestDone)) earliestDone = call.done;
    }
  }
  return stored + (await expectImports(store, history));
}

async function expectImports(store: RecordStore, history: History): Promise<number> {
  const counts = new Map<number, number>();
  const found = (await scanned(store, IMPORTS)).map(({ values }) => Number(values[0]));
  ok(new Set(found).size === found.length, 'imported records are there twice');
  for (const n of found) {
    const batch = Math.floor(n / BATCH_RECORDS);
    counts.set(batch, (counts.get(batch) ?? 0) + 1);
  }
  for (const batch of history.committed)
    deepStrictEqual(counts.get(batch), BATCH_RECORDS, `import ${batch} is lost`);
  for (const [batch, count] of counts) {
    ok(history.begun.has(batch), `nobody imported ${batch}`);
    deepStrictEqual(count, BATCH_RECORDS, `import ${batch} is there in part`);
  }
  return found.length;
}

/** Expects that no block is left of what nobody has, once garbage was collected. */
export async function expectNoOrphans(database: Database, store: RecordStore): Promise<void> {
  const [blocks] = await database.ask<{ n: number }>('SELECT count(*) AS n FROM block');
  const [staged] = await database.ask<{ n: number }>('SELECT count(*) AS n FROM staging');
  const [gone] = await database.ask<{ n: number }>('SELECT count(*) AS n FROM segment WHERE state = 3');
  deepStrictEqual([staged?.n, gone?.n], [0, 0], 'something is left of what was given up');
  let bytes = 0;
  for (const device of await store.devices()) {
    const checked = await store.check(device);
    deepStrictEqual(checked.findings, [], `blocks of ${device} are gone or damaged`);
    bytes += checked.bytes;
  }
  const [all] = await database.ask<{ n: number }>(
    'SELECT coalesce(sum(length(bytes)), 0)::bigint AS n FROM block',
  );
  deepStrictEqual(all?.n, bytes, `some of ${blocks?.n} blocks are in no segment`);
}
