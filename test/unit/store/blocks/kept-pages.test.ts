import { expect, test } from 'vitest';
import { KeptPages } from '#core/store/blocks/query/kept-pages.ts';
import { Memtable } from '#core/store/blocks/query/memtable.ts';
import type { SortedRows } from '#core/store/blocks/query/sorted-rows.ts';
import { Timeline } from '#core/store/blocks/query/timeline.ts';
import type { Readable } from '#core/store/blocks/readable.ts';
import { readPage } from '#core/store/blocks/reads.ts';
import type { PageQuery } from '#core/store/store.ts';
import { record } from '../../../suites/record-store/harness.ts';

/* Programs that ask for the newest page again and again, while mostly nothing comes. */

const NEWEST: PageQuery = { offset: 0, limit: 100, range: {} };

/** A device that counts how often its records are read. */
class CountingDevice {
  reads = 0;
  readonly #rows = new Memtable(-Infinity);
  readonly #kept: KeptPages;
  #timeline: Timeline | null = null;

  constructor(kept: KeptPages, count: number, textLength = 1) {
    this.#kept = kept;
    for (let n = 0; n < count; n++) this.add(n, 'x'.repeat(textLength));
  }

  add(n: number, text = 'x'): void {
    this.#rows.add([record(n, { n, text })]);
    this.#timeline = null;
  }

  page(query: PageQuery): { readonly text: string; readonly total: number } {
    const timeline = (this.#timeline ??= new Timeline(
      this.#rows.sources(false).map((rows) => this.#counted(rows)),
    ));
    const device = { timeline: () => timeline, read: (read) => read() } as Partial<Readable> as Readable;
    const { json, total, borrowed } = readPage(device, query, { kept: this.#kept });
    if (!(json instanceof Uint8Array)) throw new Error('The page should have come whole.');
    const text = Buffer.from(json).toString();
    borrowed?.release();
    return { text, total };
  }

  #counted(rows: SortedRows): SortedRows {
    return new Proxy(rows, {
      get: (target, name) => {
        if (name === 'readInto') this.reads++;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }
}

test('a page that is asked for again is not written again until a record comes', () => {
  const device = new CountingDevice(new KeptPages(), 150);
  const first = device.page(NEWEST);
  const { reads } = device;
  expect(reads).toBeGreaterThan(0);
  for (let n = 0; n < 5; n++) expect(device.page(NEWEST)).toEqual(first);
  expect(device.reads).toBe(reads);
  device.add(150);
  const { text, total } = device.page(NEWEST);
  expect(total).toBe(151);
  expect((JSON.parse(text) as { n: number }[])[0]?.n).toBe(150);
});

test('another page, range, set of keys or device is another page', () => {
  const kept = new KeptPages();
  const [one, other] = [new CountingDevice(kept, 150), new CountingDevice(kept, 149)];
  const queries: PageQuery[] = [
    NEWEST,
    { ...NEWEST, offset: 100 },
    { ...NEWEST, limit: 10 },
    { ...NEWEST, range: { start: 20 } },
    { ...NEWEST, range: { end: 20 } },
    { ...NEWEST, keys: ['n'] },
    { ...NEWEST, keys: ['text'] },
    { ...NEWEST, keys: ['n', 'text'] },
  ];
  const written = queries.flatMap((query) =>
    [150, 149].map((count) => new CountingDevice(new KeptPages(), count).page(query)),
  );
  for (let round = 0; round < 2; round++)
    expect(queries.flatMap((query) => [one.page(query), other.page(query)])).toEqual(written);
});

test('the last sixteen pages are kept, of at most 64 KiB each', () => {
  const kept = new KeptPages();
  const device = new CountingDevice(kept, 150);
  const ask = (offset: number) => device.page({ ...NEWEST, offset });
  const readsOf = (work: () => void) => {
    const before = device.reads;
    work();
    return device.reads - before;
  };
  for (let offset = 0; offset <= 16; offset++) ask(offset);
  expect(readsOf(() => ask(1))).toBe(0);
  expect(readsOf(() => ask(0))).toBeGreaterThan(0);
  const large = new CountingDevice(kept, 100, 1000);
  large.page(NEWEST);
  const { reads } = large;
  large.page(NEWEST);
  expect(large.reads).toBeGreaterThan(reads);
});
