import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { createMemoryRecordStore } from '../../../helpers/store/memory-record-store.ts';
import { pageText, record } from '../../../suites/record-store/harness.ts';

/* A device that was out of reach uploads what it kept, newest first, while it goes on measuring: pages stay exact. */

const SECOND = 1_000_000;
const NOW = Date.UTC(2026, 2, 2) * 1000;
const LIMITS = { walBytes: 8 << 10, segmentRows: 4096, lateRuns: 3 };

describe('late data', () => {
  let directory: string;
  let store: RecordStore;
  const naive = createMemoryRecordStore();

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fieldbench-late-'));
    store = await openLog({ directory, limits: LIMITS });
  });
  afterEach(async () => {
    await store.close();
    await rm(directory, { recursive: true });
  });

  async function expectTheSame(): Promise<void> {
    const total = await naive.count('d');
    expect(await store.count('d')).toBe(total);
    for (const offset of [0, 1, 99, total >> 2, total >> 1, total - 150, total]) {
      const query = { offset, limit: 100 };
      expect(await pageText(store, 'd', query)).toBe(await pageText(naive, 'd', query));
    }
    const range = { start: NOW - 3000 * SECOND, end: NOW + 300 * SECOND };
    const query = { range, keys: ['n', 'v'], width: 300 };
    expect(await store.series('d', query)).toEqual(await naive.series('d', query));
  }

  /** Of the segments that are there, of all that were ever written. */
  const segmentNumbers = async () =>
    (await readdir(join(directory, 'd'))).flatMap((name) =>
      name.endsWith('.seg') ? [Number.parseInt(name, 10)] : [],
    );

  test('is in its place during merging, after it and after opening again', async () => {
    let n = 0;
    const reading = (time: number): StoredRecord => record(time, { n: n++, v: Math.sin(n) });
    for (let round = 0; round < 60; round++) {
      const late = Array.from({ length: 60 }, (_, i) => reading(NOW - (round * 60 + i) * SECOND));
      const live = [reading(NOW + round * SECOND), reading(NOW + round * SECOND)];
      // Among what is there already, at times that are taken too.
      const scattered = [0, 7, 31].map((i) => reading(NOW - ((round * 977 + i) % 3600) * SECOND));
      for (const records of [late, live, scattered]) {
        await Promise.all([store.append('d', records), naive.append('d', records)]);
      }
      if (round % 12 === 5) await expectTheSame();
    }
    await expectTheSame();
    await store.close();
    store = await openLog({ directory, limits: LIMITS });
    await expectTheSame();
    const numbers = await segmentNumbers();
    // Of all the segments that were ever written, merging left a few.
    expect(Math.max(...numbers)).toBeGreaterThan(20);
    expect(numbers.length).toBeLessThan(20);
  });

  test('is merged where it comes by imports alone', async () => {
    for (let file = 0; file < 40; file++) {
      const batch = await store.batch('d');
      await batch.add([record(NOW + file * SECOND, { n: file })]);
      await batch.commit();
    }
    await expect.poll(async () => (await segmentNumbers()).length, { timeout: 60_000 }).toBeLessThan(12);
    expect(await store.count('d')).toBe(40);
  });
});
