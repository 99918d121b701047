import * as fc from 'fast-check';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME, type TimeRange } from '#shared/values/time.ts';
import type { RecordStore, StoredRecord } from '#core/store/store.ts';
import { surveyExcursions } from '#core/survey/excursions.ts';
import { pageText, scanned } from './harness.ts';
import { lensesOf } from './lenses.ts';
import { isRefusedName } from './replace.ts';

/* Random things to do to a store and to ask of it, the same of any. */

/** Few instants, so that they collide and ranges hit them; now and then a far one. */
const instant = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: -20, max: 20 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(FIRST_RECORD_TIME, LAST_RECORD_TIME, -1_000_001, 1_772_483_421_202_946),
  },
);
const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('\ud800', '\udfff!', -0, 2 ** 53 + 2),
);
/** Payloads in hexadecimal, and now and then what is nearly that. */
const payload = fc.oneof(
  { weight: 12, arbitrary: fc.stringMatching(/^([0-9a-f]{2}){1,24}$/) },
  { weight: 1, arbitrary: fc.constantFrom('', 'a', 'FF', '0g', '00') },
);
const PAYLOAD = 'bytes';
const key = fc.constantFrom('a', 'b', 'temp', '__proto__', '0', '10', 'ä', '\ud83c', PAYLOAD);
const record: fc.Arbitrary<StoredRecord> = fc
  .tuple(instant, fc.integer({ min: 0, max: 1000 }), fc.uniqueArray(key, { minLength: 1, maxLength: 5 }))
  .chain(([timestamp, received, keys]) =>
    fc
      .tuple(...keys.map((name) => (name === PAYLOAD ? payload : value)))
      .map((values) => ({ timestamp, received, keys, values })),
  );
const records = fc.array(record, { minLength: 1, maxLength: 12 });
const devices: fc.Arbitrary<string> = fc.constantFrom('d', 'e');
/** Few, so that they come again; none mostly. */
const receipt = fc.option(fc.constantFrom('1', '2', 'once'), { nil: undefined, freq: 1 });
const ranges: fc.Arbitrary<TimeRange> = fc
  .tuple(fc.option(instant, { nil: undefined }), fc.option(instant, { nil: undefined }))
  .map(([start, end]) => ({ ...(start !== undefined && { start }), ...(end !== undefined && { end }) }));

/** What is kept is called so. */
const name = fc.constantFrom('k1', 'k2', 'k3');

export const operations = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('append'), device: devices, records, receipt }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('batch'),
      device: devices,
      chunks: fc.array(records, { maxLength: 3 }),
      commit: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('purge'), device: devices, at: instant }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete'), device: devices, range: ranges }) },
  {
    weight: 1,
    // Whoever deletes a device retires it first.
    arbitrary: fc.record({ kind: fc.constant('drop'), device: devices, retires: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('keep'),
      device: devices,
      name,
      removal: fc.oneof(
        ranges.map((range) => ({ range })),
        instant.map((at) => ({ at })),
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('restore'), device: devices, name }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('replace'),
      device: devices,
      name,
      range: ranges,
      chunks: fc.array(records, { maxLength: 3 }),
      /** Of the few names under which something may be kept. */
      back: fc.option(name, { nil: undefined, freq: 1 }),
      /** Whether the device, or the range, is another one than it is for. */
      isFor: fc.oneof(
        { weight: 8, arbitrary: fc.constant('this' as const) },
        { weight: 1, arbitrary: fc.constantFrom('another revision' as const, 'another count' as const) },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('discard'), device: devices, name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
);
export type Operation = typeof operations extends fc.Arbitrary<infer T> ? T : never;

export const questions = fc.record({
  device: fc.oneof(
    devices,
    fc.record({
      device: devices,
      lens: lensesOf({ instant: fc.integer({ min: -25, max: 25 }), key, former: devices }),
    }),
  ),
  range: ranges,
  offset: fc.integer({ min: 0, max: 15 }),
  limit: fc.integer({ min: 1, max: 15 }),
  keys: fc.option(fc.array(fc.oneof(key, fc.constantFrom('x', 'y')), { maxLength: 3 }), { nil: undefined }),
  width: fc.integer({ min: 1, max: 40 }),
});
export type Question = typeof questions extends fc.Arbitrary<infer T> ? T : never;

/** Does the same to a store and answers what it said. */
export async function perform(
  store: RecordStore,
  operation: Exclude<Operation, { kind: 'reopen' }>,
): Promise<unknown> {
  switch (operation.kind) {
    case 'append':
      return store.append(operation.device, operation.records, { receipt: operation.receipt });
    case 'batch': {
      const batch = await store.batch(operation.device);
      for (const chunk of operation.chunks) await batch.add(chunk);
      return operation.commit ? batch.commit() : batch.abort();
    }
    case 'replace':
      return performReplace(store, operation);
    case 'purge':
      return store.purge(operation.device, operation.at);
    case 'delete':
      return store.deleteRange(operation.device, operation.range);
    case 'drop': {
      if (operation.retires) await store.retire(operation.device);
      const gone = await store.drop(operation.device);
      if (operation.retires) await store.revive(operation.device);
      return gone;
    }
    case 'keep': {
      const { bytes: _, ...kept } = await store.keep(operation.device, operation.name, operation.removal);
      return kept;
    }
    case 'restore':
      return store.restore(operation.device, operation.name);
    case 'discard':
      return store.discard(operation.device, operation.name);
  }
}

/** Resolves with whether it was made; with the words of the refusal where the names are not to be had. */
async function performReplace(
  store: RecordStore,
  { device, range, chunks, isFor, name: as, back }: Operation & { readonly kind: 'replace' },
): Promise<boolean | string> {
  const batch = await store.batch(device);
  try {
    for (const chunk of chunks) await batch.add(chunk);
    const revision = (await store.revision(device)) + (isFor === 'another revision' ? 0.5 : 0);
    const expected = (await store.count(device, range)) + (isFor === 'another count' ? 1 : 0);
    return await batch.replace({ name: as, range, revision, expected, back });
  } catch (error) {
    await batch.abort();
    if (isRefusedName(error)) return error.message;
    throw error;
  }
}

/** All that a store says about a question; what is its own affair (bytes on disk, the order of a record's keys) left out. */
export async function answers(
  store: RecordStore,
  { device, range, offset, limit, keys, width }: Question,
): Promise<unknown> {
  const query = { offset, limit, range, ...(keys && { keys }) };
  const { bytes: _, ...summary } = await store.summary(device);
  const { start = -30, end = 30 } = range;
  return {
    summary,
    page: await pageText(store, device, query),
    total: (await store.page(device, query)).total,
    all: await pageText(store, device, { offset: 0, limit: 10_000 }),
    columns: await store.columns(device, { ...query, keys: keys ?? ['a', 'temp'] }),
    receipts: (await scanned(store, device, range)).map(({ timestamp, received }) => [timestamp, received]),
    count: await store.count(device, range),
    with: await store.countWith(device, range, keys ?? ['a', 'temp']),
    within: await store.within(device, range),
    keys: await store.keys(device),
    kept: (await store.kept(typeof device === 'string' ? device : device.device)).map(
      ({ bytes: _bytes, ...kept }) => kept,
    ),
    lastSeen: await store.lastSeen(['d', 'e', 'never']),
    extents: (await store.extents(['d', 'e', device, 'never'])).map(({ bytes: _bytes, ...extent }) => extent),
    latest: await store.latest([
      { device: 'd', keys: null },
      { device: 'e', keys: ['temp', 'none', 'a'] },
      { device, keys: keys ?? ['b'] },
      { device: 'never', keys: null },
    ]),
    excursions:
      start <= end &&
      (await surveyExcursions(store, device, {
        range: { start, end },
        key: keys?.[0] ?? 'a',
        normal: { low: -2, high: 2 },
        pause: width,
        most: limit,
        width,
      })),
    series:
      start <= end &&
      (await store.series(device, { range: { start, end }, keys: keys ?? ['a', 'b'], width })),
  };
}
