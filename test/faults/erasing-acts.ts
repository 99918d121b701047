import * as fc from 'fast-check';

export const DEVICES = ['d', 'e'] as const;
const device = fc.constantFrom(...DEVICES);
const time = fc.integer({ min: 0, max: 30 });
const times = fc.array(time, { maxLength: 12 });
const name = fc.constantFrom('k1', 'k2');
const kind = <K extends string>(of: K) => fc.constant(of);

/** What is asked of a store. Records are given their text when they are stored: one that nothing else has. */
const doing = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: kind('append'), device, times }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: kind('import'),
      device,
      times,
      end: fc.constantFrom('commit', 'commit', 'commit', 'abort', 'none'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('delete'), device, from: time, to: time }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('purge'), device }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('drop'), device }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('keep'),
      device,
      name,
      range: fc.option(fc.record({ start: time, end: time })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: kind('restore'), device, name }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('replace'),
      device,
      name,
      times,
      range: fc.record({ start: time, end: time }),
      back: fc.option(name, { nil: undefined, freq: 1 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('discard'), device, name }) },
);

/** Turns of the event loop until a process ends, and what of its disk is left: null is a kill, which loses nothing. */
const death = fc.record({
  turns: fc.integer({ min: 0, max: 60 }),
  seed: fc.option(fc.integer({ min: 1, max: 1 << 30 })),
});

const act = fc.oneof(
  { weight: 20, arbitrary: doing },
  /** Begins to read all of a device, and goes no further. */
  { weight: 1, arbitrary: fc.record({ kind: kind('read'), device }) },
  /** Every reader ends. */
  { weight: 1, arbitrary: fc.record({ kind: kind('read-no-more') }) },
  /** So long that the log may be erased again. */
  { weight: 1, arbitrary: fc.record({ kind: kind('rest'), turns: fc.integer({ min: 0, max: 80 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('reopen') }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: kind('crash'),
      /** What was asked for last, and may never be answered. */
      during: fc.option(doing),
      /** The first while it is used, the others while it is started. */
      deaths: fc.array(death, { minLength: 1, maxLength: 3 }),
    }),
  },
);

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type Doing = Of<typeof doing>;
export type Act = Of<typeof act>;

export const acts: fc.Arbitrary<Act[]> = fc.array(act, { minLength: 1, maxLength: 25 });
/** For what is slow to start. */
export const manyActs: fc.Arbitrary<Act[]> = fc.array(act, { minLength: 20, maxLength: 60 });
