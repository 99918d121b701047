import * as fc from 'fast-check';
import { plainKey, records, sent, time, timeText } from './arbitrary-records.ts';
import type { Bulk, Range, Script, Step, Writers } from './script.ts';
import { FIRST_TIME, LAST_TIME } from './time.ts';

/* Random scripts: few devices, so that what is done meets, and limits that cut pages anywhere. */

const device = fc.nat({ max: 3 });
const project = fc.nat({ max: 1 });
const EDGES = [1, 127, 129, 511, 512, 1023, 1024, 1025];
const SMALL = fc.oneof(fc.integer({ min: 1, max: 1500 }), fc.constantFrom(...EDGES));
const LARGE = fc.noBias(fc.integer({ min: 5000, max: 30_000 }));

const bulk = (count: fc.Arbitrary<number>): fc.Arbitrary<Bulk> =>
  fc.record({
    count,
    from: time.filter((each) => each > FIRST_TIME && each < LAST_TIME - 1e15),
    step: fc.constantFrom(1, 1000, 1_000_000, 60_000_000),
    order: fc.constantFrom('rising', 'rising', 'falling', 'shuffled', 'equal'),
    shape: fc.constantFrom('sensors', 'sensors', 'sparse', 'texts', 'wide'),
  });
const bulkStep = (count: fc.Arbitrary<number>) =>
  fc.record({
    do: fc.constant('bulk' as const),
    device,
    by: fc.constantFrom('array' as const, 'lines' as const, 'import ndjson' as const, 'import csv' as const),
    bulk: bulk(count),
  });

const range: fc.Arbitrary<Range> = fc.tuple(timeText, timeText).map(([start, end]) => ({ start, end }));
const writers: fc.Arbitrary<Writers> = fc.record({
  writers: fc.integer({ min: 2, max: 8 }),
  requests: fc.integer({ min: 1, max: 6 }),
  records: fc.constantFrom(1, 1, 3, 40, 600),
});

const constant = <const T>(given: T) => fc.constant(given);
const maybeRange = fc.option(range, { freq: 3 });
const maybeKeys = fc.option(fc.uniqueArray(plainKey, { minLength: 1, maxLength: 4 }), { freq: 2 });
const format = fc.constantFrom('ndjson' as const, 'csv' as const);
const limit = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(100, 1000, 1024, 10_000));

const questions: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: constant('page'),
    device,
    page: fc.integer({ min: 1, max: 6 }),
    limit,
    range: maybeRange,
    keys: maybeKeys,
  }),
  fc.record({ do: constant('walk'), device, limit, range: maybeRange }),
  fc.record({ do: constant('export'), device, format, range: maybeRange, keys: maybeKeys }),
  fc.record({
    do: constant('series'),
    device,
    width: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constantFrom(333, 1000)),
    range: maybeRange,
    keys: maybeKeys,
  }),
  fc.record({ do: constant('facts') }),
);

const remove = fc.record({ do: constant('remove'), device, range });
const purge = fc.record({ do: constant('purge'), device });
const deleteDevice = fc.record({ do: constant('delete device'), device });

const acts: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.tuple(device, sent).map(([to, given]) => ({ do: 'send' as const, device: to, ...given })),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(device, records(8))
      .map(([to, each]) => ({ do: 'import lines' as const, device: to, body: each.join('\n') })),
  },
  { weight: 4, arbitrary: bulkStep(SMALL) },
  { weight: 4, arbitrary: remove },
  { weight: 2, arbitrary: purge },
  { weight: 2, arbitrary: fc.record({ do: constant('copy'), from: device, to: device, format }) },
  { weight: 2, arbitrary: fc.record({ do: constant('write at once'), device, writers }) },
  { weight: 2, arbitrary: fc.record({ do: constant('create device'), project }) },
  { weight: 2, arbitrary: deleteDevice },
  { weight: 2, arbitrary: fc.record({ do: constant('create project') }) },
  { weight: 1, arbitrary: fc.record({ do: constant('delete project'), project }) },
);

const ends = (count: fc.Arbitrary<number>): fc.Arbitrary<Step> =>
  fc.oneof(
    fc.record({ do: constant('restart') }),
    fc.record({ do: constant('kill') }),
    fc.record({ do: constant('kill writers'), device, writers, acknowledged: fc.nat({ max: 20 }) }),
    fc.record({
      do: constant('kill during'),
      act: fc.oneof(remove, purge, deleteDevice, bulkStep(count)),
      ms: fc.nat({ max: 60 }),
    }),
  );

const script = (steps: fc.Arbitrary<Step>, minLength: number, maxLength: number): fc.Arbitrary<Script> =>
  fc.record({
    devices: fc.integer({ min: 1, max: 3 }),
    steps: fc.array(steps, { minLength, maxLength, size: 'max' }),
  });

/** One process for many of them. */
export const calmScripts = script(
  fc.oneof({ weight: 3, arbitrary: acts }, { weight: 2, arbitrary: questions }),
  1,
  40,
);

/** The process ends on the way. */
export const roughScripts = script(
  fc.oneof(
    { weight: 6, arbitrary: acts },
    { weight: 3, arbitrary: questions },
    { weight: 2, arbitrary: ends(SMALL) },
  ),
  4,
  24,
);

/** Hundreds of thousands of records, so that files are moved, merged and reused. */
export const largeScripts = script(
  fc.oneof(
    { weight: 9, arbitrary: bulkStep(LARGE) },
    { weight: 2, arbitrary: acts },
    { weight: 2, arbitrary: fc.oneof(remove, questions) },
    { weight: 2, arbitrary: ends(LARGE) },
  ),
  24,
  32,
).map(({ steps }) => ({
  devices: 2,
  steps: steps.flatMap((step, i): Step[] => (i % 9 === 8 ? [step, { do: 'kill' }] : [step])),
}));
