import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packRecords } from '#core/store/blocks/block/packer.ts';
import type { PackedRecords, PackedUpload, StoredRecord, Value } from '#core/store/store.ts';
import { scanned, threadWorkOf, type Harness, type Supports } from './harness.ts';
import { someRuns } from '../../helpers/some-runs.ts';

const RECEIVED = 9_000_000;

async function packedOf(records: readonly StoredRecord[]): Promise<PackedUpload> {
  const packed: PackedRecords[] = [];
  const packer = packRecords(async (block) => void packed.push(block));
  await packer.add(records);
  await packer.end();
  const keys = new Map<string, number>();
  for (const [n, record] of records.entries())
    for (const key of record.keys) if (!keys.has(key)) keys.set(key, n);
  return { packed, keys, received: RECEIVED };
}

const record = (timestamp: number, fields: Record<string, Value>): StoredRecord => ({
  timestamp,
  received: RECEIVED,
  keys: Object.keys(fields),
  values: Object.values(fields),
});

/** What a device sent and a thread packed is stored as what comes as records. */
export function packedUploadTests(
  harness: Harness,
  { threads, durable }: Pick<Supports, 'threads' | 'durable'>,
): void {
  describe.runIf(threads)('packed uploads', () => {
    test('are as records that come one by one, whatever their order', async () => {
      const uploads = fc.array(
        fc.tuple(
          fc.boolean(),
          fc.array(
            fc.tuple(
              fc.nat(3000),
              fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string(), fc.boolean()),
            ),
            {
              minLength: 1,
              maxLength: 1500,
            },
          ),
        ),
        { minLength: 1, maxLength: 4 },
      );
      let run = 0;
      await fc.assert(
        fc.asyncProperty(uploads, async (parts) => {
          const { store } = harness;
          const [one, other] = [`one-${++run}`, `other-${run}`];
          for (const [isPacked, rows] of parts) {
            const records = rows.map(([time, value], n) => record(time, { n, ...(n % 3 > 0 && { value }) }));
            await store.append(one, records);
            if (isPacked) await threadWorkOf(store).append(other, await packedOf(records));
            else await store.append(other, records);
          }
          expect(await scanned(store, other)).toEqual(await scanned(store, one));
          expect(await store.lastSeen([other])).toEqual([RECEIVED]);
          expect((await store.summary(other)).keys).toEqual((await store.summary(one)).keys);
        }),
        { numRuns: someRuns(30) },
      );
      if (durable) {
        const before = await scanned(harness.store, `other-${run}`);
        await harness.reopen();
        expect(await scanned(harness.store, `other-${run}`)).toEqual(before);
        expect(await harness.store.lastSeen([`other-${run}`])).toEqual([RECEIVED]);
      }
    });

    test('are stored once with a receipt', async () => {
      const { store } = harness;
      const upload = await packedOf(Array.from({ length: 3000 }, (_, n) => record(n, { n })));
      const send = (receipt: string) => threadWorkOf(harness.store).append('d', upload, { receipt });
      // Of two at once nobody says which comes first.
      expect((await Promise.all([send('r'), send('r')])).toSorted()).toEqual(['duplicate', 'stored']);
      expect(await store.append('d', [record(1, { n: 1 })], { receipt: 'r' })).toBe('duplicate');
      if (durable) await harness.reopen();
      expect(await send('r')).toBe('duplicate');
      expect(await harness.store.count('d')).toBe(3000);
    });

    test('name the record that brings one key too many, and leave nothing', async () => {
      const { store } = harness;
      const full = Array.from({ length: 16 }, (_, i) =>
        record(i, Object.fromEntries(Array.from({ length: 250 }, (_none, k) => [`k${i * 250 + k}`, k]))),
      );
      await store.append('d', full);
      const more = Array.from({ length: 200 }, (_, n) => record(n, { k1: n, [`new-${n}`]: n }));
      await expect(threadWorkOf(store).append('d', await packedOf(more))).rejects.toMatchObject({
        name: 'KeyLimitReached',
        record: 96,
        key: 'new-96',
      });
      expect(await store.count('d')).toBe(16);
      expect(await threadWorkOf(store).append('d', await packedOf(more.slice(0, 96)))).toBe('stored');
    });

    test('are refused by a device that was retired', async () => {
      const { store } = harness;
      await store.retire('d');
      const upload = await packedOf([record(1, { n: 1 })]);
      await expect(threadWorkOf(store).append('d', upload)).rejects.toMatchObject({ code: 'retired' });
    });
  });
}
