import * as fc from 'fast-check';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { record } from '../../../suites/record-store/harness.ts';
import { diskFiles } from '../../../faults/disk-files.ts';
import { Disk } from '../../../faults/disk.ts';
import { erasingProperty, logNodes } from '../../../faults/erasing.ts';
import type { Act } from '../../../faults/erasing-acts.ts';
import { singleFaults } from '../../../faults/faults.ts';
import { powerCuts } from '../../../faults/power-cuts.ts';
import { removalProperty, type Life } from '../../../faults/removals.ts';
import { withSeed } from '../../../helpers/chance.ts';
import { openErasing, openTiny } from './open-tiny.ts';
import { PATIENTLY } from '../../../helpers/patiently.ts';
import { someRuns } from '../../../helpers/some-runs.ts';

/** Torture takes each place. */
const CUTS = 83;
const FAULTS = 37;

const device = 'd';
const killed = (turns: number, seed: number | null = null): Act => ({
  kind: 'crash',
  during: null,
  deaths: [{ turns, seed }],
});

/** A range is deleted while segments are merged, so that the merged one belongs to nobody. */
const MERGED: Act[] = [
  { kind: 'append', device, times: [1] },
  { kind: 'import', device, times: [1], end: 'commit' },
  { kind: 'import', device, times: [0, 1], end: 'commit' },
  { kind: 'append', device, times: [0] },
  { kind: 'delete', device, from: 0, to: 0 },
  { kind: 'reopen' },
  killed(0, 1),
];

/** A device goes whose records were all removed so that they could come back. */
const KEPT: Act[] = [
  { kind: 'append', device, times: [0] },
  { kind: 'keep', device, name: 'k1', range: null },
  { kind: 'drop', device },
  { kind: 'append', device, times: [] },
];

/** All goes while segments are merged; the log has been erased when the process is killed, and a merged file is there still. */
const MERGING: Act[] = [
  { kind: 'import', device, times: [2, 29, 29, 16, 10], end: 'commit' },
  { kind: 'append', device, times: [7, 13, 23, 3, 15, 7, 11, 2, 5, 29] },
  { kind: 'import', device, times: [27, 16, 0], end: 'commit' },
  { kind: 'purge', device },
  killed(15),
];

/** All goes while somebody reads it; the log has been erased long before the process is killed. */
const READ: Act[] = [
  { kind: 'import', device, times: [1], end: 'commit' },
  { kind: 'read', device },
  { kind: 'purge', device },
  { kind: 'rest', turns: 80 },
  killed(0),
];

/** The same, but the store is closed. */
const READ_ON: Act[] = [...READ.slice(0, -1), { kind: 'reopen' }];

const KEPT_MEANWHILE: Life = {
  together: [[{ kind: 'append', device, records: [record(1)], receipt: undefined }]],
  atLast: [{ kind: 'keep', device, name: 'k1', removal: { at: 0 } }],
  turns: null,
  end: 'close',
};

/** A device is retired while its last append is under way, and an earlier removal still takes its files away. */
const RETIRED_MEANWHILE: Life = {
  together: [
    [{ kind: 'append', device, records: [record(1)], receipt: undefined }],
    [
      { kind: 'keep', device, name: 'k1', removal: { at: 0 } },
      { kind: 'drop', device, retires: false },
    ],
    [
      { kind: 'drop', device, retires: true },
      { kind: 'append', device, records: [record(2)], receipt: undefined },
    ],
  ],
  atLast: [],
  turns: null,
  end: 'kill',
};

/** It is removed twice at once, and stored to again before the second removal has ended. */
const REMOVED_TWICE: Life = {
  together: [
    [{ kind: 'append', device, records: [record(1)], receipt: undefined }],
    [
      { kind: 'drop', device, retires: true },
      { kind: 'drop', device, retires: true },
    ],
    [{ kind: 'append', device, records: [record(2)], receipt: undefined }],
  ],
  atLast: [],
  turns: null,
  end: 'close',
};

describe('what was deleted from the append log', () => {
  test('is in no file once it was closed, whatever crashed in between', () =>
    fc.assert(erasingProperty(openTiny), { numRuns: someRuns(200) }));

  test('nor where it is erased at once', () =>
    fc.assert(erasingProperty(openErasing), { numRuns: someRuns(200) }));

  test.each([
    ['in what a merge had made, where the power is cut before the folder knows that it went', MERGED, 1],
    ['what was kept of a device that went', KEPT, 1],
    ['in what a merge makes, where the process is killed once the log was erased', MERGING, 17],
    ['in what is read, where the process is killed once the log was erased', READ, 1],
    ['in what is read when the store is closed', READ_ON, 1],
  ])('nor %s', (_, acts, pace) =>
    fc.assert(erasingProperty(openErasing), { numRuns: 1, examples: [[acts, pace]] }),
  );

  test('is overwritten, not only taken away, while the store goes on', async () => {
    const disk = new Disk();
    const files = diskFiles(disk);
    const store = await openErasing(files);
    // Enough for files that were used before, as well.
    for (let n = 0; n < 60; n++) {
      await store.append('d', [record(n, { text: `secret ${n}: ${'x'.repeat(100)}` })]);
      await store.append('other', [record(n, { text: `kept ${n}` })]);
    }
    const holding = () =>
      [...logNodes(files)].filter((node) => disk.file(node).bytes.includes('secret')).length;
    expect(holding()).toBeGreaterThan(1);
    await store.deleteRange('d', { end: 30 });
    await store.purge('d', 1);
    await vi.waitFor(() => expect(holding()).toBe(0), PATIENTLY);
    expect(await store.count('other')).toBe(60);
    await store.close();
  });

  test('costs nothing where nothing was: the log stays as it is', async () => {
    const disk = new Disk();
    const files = diskFiles(disk);
    const logs = () => [...disk.paths()].filter(([path]) => path.startsWith('/data/wal-'));
    const store = await openErasing(files);
    await store.append('d', [record(1)]);
    const before = logs();
    await store.purge('never', 1);
    expect(await store.deleteRange('d', { start: 5 })).toBe(0);
    await store.drop('unknown');
    await store.close();
    expect(logs()).toEqual(before);
  });
});

describe('an erasure that took long', () => {
  afterEach(() => vi.useRealTimers());

  test('lets the next wait for its share of the time, and no deletion of later days', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const disk = new Disk();
    let isSlow = false;
    const files = diskFiles(disk, () => {
      if (isSlow) vi.advanceTimersByTime(1000);
      return null;
    });
    const store = await openTiny(files, { eraseAfterMs: 1000 });
    const holds = () => [...logNodes(files)].some((node) => disk.file(node).bytes.includes('secret'));
    const deleteOne = async () => {
      await store.append('d', [record(1, { text: 'secret' })]);
      await store.purge('d', 1);
      expect(holds()).toBe(true);
    };
    const settle = async () => {
      for (let turn = 0; turn < 2000 && holds(); turn++) await nextTurn();
      return !holds();
    };
    await deleteOne();
    isSlow = true;
    vi.advanceTimersByTime(1000);
    expect(await settle()).toBe(true);
    isSlow = false;
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    await deleteOne();
    vi.advanceTimersByTime(1000);
    expect(await settle()).toBe(false);
    // Second by second: an erasure must not seem to take a day.
    for (let second = 0; second < 3600 && holds(); second++) {
      vi.advanceTimersByTime(1000);
      for (let turn = 0; turn < 5; turn++) await nextTurn();
    }
    expect(await settle()).toBe(true);
    for (let turn = 0; turn < 100; turn++) await nextTurn();
    vi.advanceTimersByTime(24 * 3_600_000);
    await deleteOne();
    vi.advanceTimersByTime(1000);
    expect(await settle()).toBe(true);
    await store.close();
  });
});

describe('a purge that comes while a range delete is being committed', () => {
  test('says what went, and the range delete does not say it once more', async () => {
    const purges: Promise<number>[] = [];
    let isDeleting = false;
    const files = diskFiles(new Disk(), () => {
      if (isDeleting && purges.length === 0 && files.attempts.at(-1)?.path === '/data/d/manifest.tmp')
        purges.push(store.purge('d', 1));
      return null;
    });
    const store = await openTiny(files);
    for (let n = 0; n < 10; n++) await store.append('d', [record(n)]);
    // So that nothing but the range delete has a manifest to write.
    await store.deleteRange('d', { start: 0, end: 0 });
    isDeleting = true;
    const deleted = await store.deleteRange('d', { end: 4 });
    const purged = await Promise.all(purges);
    expect(purged).toEqual([9 - deleted]);
    expect(await store.count('d')).toBe(0);
    await store.close();
  });
});

describe('the append log that erases at once', () => {
  test('keeps what it acknowledged when the power is cut', async () => {
    const states = withSeed((seed) => powerCuts(openErasing, { first: seed % CUTS, stride: CUTS }));
    expect(await states).toBeGreaterThan(10);
  });

  test('keeps what it has when a file operation fails', async () => {
    const states = withSeed((seed) => singleFaults(openErasing, { first: seed % FAULTS, stride: FAULTS }));
    expect(await states).toBeGreaterThan(10);
  });

  test('leaves nothing of a removed device', () =>
    fc.assert(removalProperty(openErasing), { numRuns: someRuns(150) }));

  test.each([
    ['records were about to be kept, and were on their way to a file', KEPT_MEANWHILE],
    ['last records were on their way while an earlier removal ended', RETIRED_MEANWHILE],
    ['last records came while the second of two removals ended', REMOVED_TWICE],
  ])('nor where its %s', (_, life) =>
    fc.assert(removalProperty(openErasing), { numRuns: 1, examples: [[life]] }),
  );
});
