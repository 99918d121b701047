import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { openLog } from '#core/store/log/log.ts';
import { expectQuick } from '../../../fuzz/doors/turns.ts';
import { longestTurn } from '../../../helpers/service/longest-turn.ts';

/* A device with as many keys as it may have, a few of them in each record, which is what costs most of all that is accepted. */

const KEYS = 4096;
const IN_RECORD = 100;

let directory: string;
let store: RecordStore;
let seed = 0;

beforeEach(async () => {
  seed = 12_345;
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  store = await openLog({ directory });
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

/** Xorshift: the same numbers in each run. */
function random(below: number): number {
  seed ^= seed << 13;
  seed ^= seed >>> 17;
  seed ^= seed << 5;
  return (seed >>> 0) % below;
}

function mixed(count: number): StoredRecord[] {
  return Array.from({ length: count }, () => {
    const keys = [...new Set(Array.from({ length: IN_RECORD }, () => `k${random(KEYS)}`))].toSorted();
    return { timestamp: random(1e9), received: 1, keys, values: keys.map(() => random(1000) / 7) };
  });
}

const fill = async (batches: number) => {
  for (let batch = 0; batch < batches; batch++) await store.append('d', mixed(500));
};

test('nobody waits while they are stored, moved, merged and told of', async () => {
  await expectQuick(() => longestTurn(fill(8)));
  await expectQuick(() => longestTurn(store.summary('d')));
  await expectQuick(() => longestTurn(store.keys('d')));
  await expectQuick(() =>
    longestTurn(store.page('d', { offset: 0, limit: 1000 }).then(({ json }) => drain(json))),
  );
});

async function drain(json: Uint8Array | AsyncIterable<Uint8Array>): Promise<void> {
  if (json instanceof Uint8Array) return;
  for await (const piece of json) expect(piece.length).toBeGreaterThan(0);
}

test('what a device holds is told as it was when it was asked, whatever comes and goes meanwhile', async () => {
  await fill(3);
  const before = await store.summary('d');
  const told = store.summary('d');
  const keys = store.keys('d');
  // Both have begun, and are not over.
  await setImmediate();
  await store.append('d', [{ timestamp: 5, received: 9, keys: ['k1'], values: [1] }]);
  await store.deleteRange('d', { end: 5e8 });
  await store.purge('d', 7);
  expect(await told).toEqual(before);
  expect(await keys).toEqual(before.keys.map(({ key }) => key));
  expect(await store.summary('d')).toMatchObject({ records: 0, keys: [], lastSeen: 9, purgedAt: 7 });
});

test('nobody goes on telling who has left', async () => {
  await fill(3);
  const left = new AbortController();
  const told = store.summary('d', left.signal);
  const keys = store.keys('d', left.signal);
  left.abort(new Error('left'));
  await expect(told).rejects.toThrow('left');
  await expect(keys).rejects.toThrow('left');
});
