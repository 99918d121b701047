import { describe, expect, test } from 'vitest';
import { counting, pageOfN, pageText, record, scanned, type Harness } from './harness.ts';

const time = (micros: number) => `"timestamp":"1970-01-01T00:00:00.00000${micros}Z"`;

export function readingTests(harness: Harness): void {
  describe('order', () => {
    test('shows the newest timestamp first, whatever the order of arrival', async () => {
      const { store } = harness;
      await store.append(
        'd',
        [3, 1, 2].map((n) => record(n)),
      );
      await store.append(
        'd',
        [0, 5, 4].map((n) => record(n)),
      );
      expect(await pageOfN(store, 'd')).toEqual([5, 4, 3, 2, 1, 0]);
      expect((await scanned(store, 'd')).map(({ timestamp }) => timestamp)).toEqual([0, 1, 2, 3, 4, 5]);
    });

    test('shows the latest arrival first among equal timestamps', async () => {
      const { store } = harness;
      await store.append('d', [record(7, { n: 'a' }), record(8, { n: 'x' }), record(7, { n: 'b' })]);
      await store.append('d', [record(7, { n: 'c' })]);
      expect(await pageOfN(store, 'd')).toEqual(['x', 'c', 'b', 'a']);
      expect((await scanned(store, 'd')).map(({ values }) => values[0])).toEqual(['a', 'b', 'c', 'x']);
    });

    test('orders a buffer that a device uploads backwards between live records', async () => {
      const { store } = harness;
      const live = counting(5000, 300);
      const buffered = counting(0, 300).toReversed();
      for (let i = 0; i < 300; i += 50) {
        await store.append('d', live.slice(i, i + 50));
        await store.append('d', buffered.slice(i, i + 50));
      }
      const all = [...counting(0, 300), ...live].map(({ values }) => values[0]);
      expect(await pageOfN(store, 'd')).toEqual(all.toReversed());
    });
  });

  describe('pages', () => {
    test('never overlap or skip', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 100));
      const pages = await Promise.all(
        [0, 33, 66, 99].map((offset) => pageOfN(store, 'd', { offset, limit: 33 })),
      );
      expect(pages.map((page) => page.length)).toEqual([33, 33, 33, 1]);
      expect(pages.flat()).toEqual(Array.from({ length: 100 }, (_, i) => 99 - i));
    });

    test('are empty past the end, with the total still right', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 3));
      for (const offset of [3, 4, 1e9]) {
        const page = await store.page('d', { offset, limit: 10 });
        expect(page.total).toBe(3);
        expect(page.json).toEqual(Buffer.from('[]'));
      }
    });

    test('are empty for a device that never stored anything', async () => {
      const { store } = harness;
      expect(await pageText(store, 'never', { offset: 0, limit: 10 })).toBe('[]');
      expect(await store.count('never')).toBe(0);
      expect(await store.keys('never')).toEqual([]);
      expect(await scanned(store, 'never')).toEqual([]);
      expect(await store.summary('never')).toMatchObject({
        records: 0,
        first: null,
        last: null,
        lastSeen: null,
      });
    });

    test('stay as they are until they are given back', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 100));
      const kept = await Promise.all([0, 1, 2].map((offset) => store.page('d', { offset, limit: 10 })));
      const texts = () => kept.map(({ json }) => Buffer.from(json as Uint8Array).toString());
      const before = texts();
      for (let round = 0; round < 20; round++) {
        const { json, borrowed: lent } = await store.page('d', { offset: round, limit: 10 });
        const n = (JSON.parse(Buffer.from(json as Uint8Array).toString()) as { n: number }[]).map(
          (one) => one.n,
        );
        expect(n).toEqual(Array.from({ length: 10 }, (_, i) => 99 - round - i));
        lent?.release();
        lent?.release();
      }
      expect(texts()).toEqual(before);
    });

    test('come whole when small and in pieces when big, as the same bytes', async () => {
      const { store } = harness;
      const text = 'x'.repeat(10_000);
      await store.append(
        'd',
        Array.from({ length: 300 }, (_, i) => record(i, { n: text + i })),
      );
      // Of one record: what takes longer than others may wait comes in pieces, too, and five may on a busy machine.
      const small = await store.page('d', { offset: 0, limit: 1 });
      expect(small.json).toBeInstanceOf(Uint8Array);
      const { json } = await store.page('d', { offset: 0, limit: 300 });
      if (json instanceof Uint8Array) throw new Error('The page should have come in pieces.');
      const pieces: Uint8Array[] = [];
      for await (const piece of json) pieces.push(piece);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(4 << 20);
      const rows = JSON.parse(Buffer.concat(pieces).toString()) as { n: string }[];
      expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, i) => text + (299 - i)));
    });

    test('can be left in the middle', async () => {
      const { store } = harness;
      await store.append(
        'd',
        Array.from({ length: 300 }, (_, i) => record(i, { n: 'x'.repeat(10_000) })),
      );
      const { json } = await store.page('d', { offset: 0, limit: 300 });
      if (json instanceof Uint8Array) throw new Error('The page should have come in pieces.');
      for await (const piece of json) if (piece.length > 0) break;
      expect(await store.count('d')).toBe(300);
    });
  });

  describe('ranges', () => {
    test('include both ends, and reach as far as there is data where an end is absent', async () => {
      const { store } = harness;
      await store.append(
        'd',
        [1, 2, 2, 3, 4, 4, 5].map((n) => record(n)),
      );
      expect(await pageOfN(store, 'd', { range: { start: 2, end: 4 } })).toEqual([4, 4, 3, 2, 2]);
      expect(await pageOfN(store, 'd', { range: { start: 4 } })).toEqual([5, 4, 4]);
      expect(await pageOfN(store, 'd', { range: { end: 1 } })).toEqual([1]);
      expect(await store.count('d', { start: 2, end: 4 })).toBe(5);
      expect(await store.within('d', { start: 2, end: 4 })).toEqual({ records: 5, first: 2, last: 4 });
      expect((await scanned(store, 'd', { start: 5 })).map(({ timestamp }) => timestamp)).toEqual([5]);
      expect((await store.page('d', { offset: 0, limit: 1, range: { start: 2, end: 4 } })).total).toBe(5);
    });

    test('count ranks from the newest of the range', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 50));
      expect(await pageOfN(store, 'd', { offset: 2, limit: 2, range: { start: 0, end: 10_000 } })).toEqual([
        8, 7,
      ]);
    });

    test('may be empty, or lie outside what records carry', async () => {
      const { store } = harness;
      await store.append(
        'd',
        [1, 5].map((n) => record(n)),
      );
      expect(await store.count('d', { start: 2, end: 4 })).toBe(0);
      expect(await store.within('d', { start: 2, end: 4 })).toEqual({ records: 0, first: null, last: null });
      expect(await store.count('d', { start: 4, end: 2 })).toBe(0);
      expect(await store.count('d', { start: -6.2e16, end: 2.5e17 })).toBe(2);
    });
  });

  describe('projection', () => {
    test('shows the asked keys alone; a record without any keeps its place', async () => {
      const { store } = harness;
      await store.append('d', [record(1, { a: 1, b: 2, c: 3 }), record(2, { b: 5 }), record(3, { c: 6 })]);
      expect(await pageText(store, 'd', { offset: 0, limit: 9, keys: ['c', 'a', 'c', 'unknown'] })).toBe(
        `[{${time(3)},"c":6},{${time(2)}},{${time(1)},"a":1,"c":3}]`,
      );
      expect(await pageText(store, 'd', { offset: 0, limit: 1, keys: [] })).toBe(`[{${time(3)}}]`);
    });

    test('gives columns in the order asked, NaN where a record has no number', async () => {
      const { store } = harness;
      await store.append('d', [
        record(1, { a: 1, b: true }),
        record(2, { a: 'text' }),
        record(3, { b: false, a: -0 }),
      ]);
      const { total, timestamps, columns } = await store.columns('d', {
        offset: 0,
        limit: 9,
        keys: ['b', 'a', 'q'],
      });
      expect(total).toBe(3);
      expect([...timestamps]).toEqual([3, 2, 1]);
      expect(columns.map((column) => [...column])).toEqual([
        [0, Number.NaN, 1],
        [-0, Number.NaN, 1],
        [Number.NaN, Number.NaN, Number.NaN],
      ]);
    });

    test('gives a page of columns past the end', async () => {
      const { store } = harness;
      await store.append('d', counting(0, 5));
      const { total, timestamps, columns } = await store.columns('d', { offset: 5, limit: 5, keys: ['n'] });
      expect([total, timestamps.length, columns[0]?.length]).toEqual([5, 0, 0]);
    });
  });
}
