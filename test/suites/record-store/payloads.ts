import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exportRecords } from '#core/export/export.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { createMemoryRecordStore } from '../../helpers/store/memory-record-store.ts';
import { pageText, record, scanned, type Harness } from './harness.ts';

/* What devices send as bytes, kept as texts of hexadecimal digits: as any other texts, through all that becomes of blocks. */

const KEY = 'uplink.bytes';

/** A payload of 1 to 51 bytes, other ones for each number; one in 40 comes again, one in 97 lacks, and one in 900 is no hexadecimal. */
function uplink(n: number): StoredRecord {
  const digits = createHash('sha512')
    .update(`${n % 40 === 0 ? 'again' : n}`)
    .digest('hex');
  const text = n % 900 === 899 ? 'not decoded' : digits.slice(0, 2 + ((n * 7919) % 51) * 2);
  return record(n * 1000, n % 97 === 96 ? { port: n % 3 } : { port: n % 3, [KEY]: text });
}

const uplinks = (numbers: readonly number[]) => numbers.map(uplink);
const counted = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.ceil((to - from) / step) }, (_, i) => from + i * step);

async function fileOf(store: RecordStore, format: 'csv' | 'ndjson'): Promise<string> {
  let text = '';
  const scan = store.scan('d');
  for await (const { bytes } of exportRecords({ scan, keys: [KEY, 'port'], format }))
    text += Buffer.from(bytes).toString();
  return text;
}

export function payloadTests(harness: Harness, durable: boolean): void {
  describe('payloads in hexadecimal', () => {
    test('are texts as all others, while they are sealed, merged, divided, read and written to files', async () => {
      const model = createMemoryRecordStore();
      const both = async (work: (store: RecordStore) => Promise<unknown>) =>
        expect(await work(harness.store)).toEqual(await work(model));
      const readTheSame = async () => {
        const total = await model.count('d');
        const range = { start: 700_000, end: 1_900_000 };
        for (const offset of [0, 1, 511, 1024, total - 3])
          for (const query of [{}, { keys: [KEY] }, { range }])
            await both((store) => pageText(store, 'd', { offset, limit: 7, ...query }));
        await both((store) => pageText(store, 'd', { offset: 0, limit: 10_000 }));
        await both((store) => scanned(store, 'd', range));
        await both((store) => store.countWith('d', range, [KEY]));
        await both(async (store) => (await store.summary('d')).keys);
        await both((store) => store.latest([{ device: 'd', keys: [KEY] }]));
        await both((store) => store.series('d', { range, keys: [KEY, 'port'], width: 40 }));
        for (const format of ['csv', 'ndjson'] as const) await both((store) => fileOf(store, format));
      };
      // In order and packed; then in between, late and one by one, so that blocks overlap and are merged.
      for (let from = 0; from < 3000; from += 600)
        await both((store) => store.append('d', uplinks(counted(from, from + 600, 2))));
      await readTheSame();
      for (const n of counted(1, 400, 8)) await both((store) => store.append('d', [uplink(n)]));
      await both((store) => store.append('d', uplinks(counted(401, 3000, 2))));
      await readTheSame();
      await both((store) => store.deleteRange('d', { start: 611_000, end: 777_000 }));
      await both((store) => store.deleteRange('d', { start: 2_000_000, end: 2_003_000 }));
      await readTheSame();
      if (durable) await harness.reopen();
      await readTheSame();
      expect(harness.store.recovery).toEqual([]);
    });
  });
}
