import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '#core/store/log/log.ts';
import type { RecordStore } from '#core/store/store.ts';
import { record } from '../../../suites/record-store/harness.ts';

/* A client that takes nothing of a page leaves its first piece in memory, and hundreds may do so at once. */

const [FIRST, OTHERS] = [1 << 18, 1 << 16];
/** With the shortest texts more than FIRST bytes, however quickly they are written. */
const RECORDS = 6000;
let directory: string;
let store: RecordStore;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-pieces-'));
  store = await openLog({ directory });
});
afterAll(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

test.each([10, 100, 1000, 2000])(
  'records with a text of %i characters come in pieces of 256, then 64 KiB',
  async (length) => {
    const device = `d${length}`;
    const texts = Array.from({ length: RECORDS }, (_, i) => 'x'.repeat(length) + i);
    await store.append(
      device,
      texts.map((n, i) => record(i, { n })),
    );
    const { json } = await store.page(device, { offset: 0, limit: RECORDS });
    if (json instanceof Uint8Array) throw new Error('The page should have come in pieces.');
    const pieces: Uint8Array[] = [];
    for await (const piece of json) pieces.push(piece);
    for (const [i, { length: bytes }] of pieces.entries())
      expect(bytes).toBeLessThan(1.5 * (i === 0 ? FIRST : OTHERS));
    const rows = JSON.parse(Buffer.concat(pieces).toString()) as { n: string }[];
    expect(rows.map(({ n }) => n)).toEqual(texts.toReversed());
  },
);
