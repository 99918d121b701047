import * as fc from 'fast-check';
import type { ClockPoint, Correction } from '#shared/domain/corrections.ts';
import type { Formula } from '#shared/domain/formula/formula-terms.ts';
import { printFormula } from '#shared/domain/formula/print-formula.ts';
import type { Lens } from '#core/store/store.ts';

/* Random lenses over few instants and keys, so that their spans meet records and one another. */

interface LensChoices {
  readonly instant: fc.Arbitrary<number>;
  readonly key: fc.Arbitrary<string>;
  /** Devices that may go before. */
  readonly former: fc.Arbitrary<string>;
  /** µs between neighbouring instants: clocks are off by some dozens of them. */
  readonly step?: number;
  /** Where the instants lie: clocks are right about there. */
  readonly origin?: number;
}

export function lensesOf(choices: LensChoices): fc.Arbitrary<Lens> {
  return fc.record({
    corrections: correctionsOf(choices),
    formers: fc.array(
      fc.record({
        device: choices.former,
        until: choices.instant,
        lens: fc.option(fc.record({ corrections: correctionsOf(choices), formers: fc.constant([]) }), {
          nil: null,
        }),
      }),
      { maxLength: 1 },
    ),
  });
}

function correctionsOf({ instant, key, step = 1, origin = 0 }: LensChoices): fc.Arbitrary<Correction[]> {
  const span = fc.tuple(instant, instant).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
  const open = fc
    .tuple(fc.option(instant, { nil: undefined }), fc.option(instant, { nil: undefined }))
    .map(([a, b]) => {
      const [from, to] = a !== undefined && b !== undefined && a > b ? [b, a] : [a, b];
      return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
    });
  const reading = fc.oneof(fc.integer({ min: -6, max: 6 }), fc.double({ min: -1e3, max: 1e3, noNaN: true }));
  const calibration = fc.record({ key, span: open, points: fc.oneof(line(reading), table(reading)) });
  const quality = fc.record({
    keys: fc.option(fc.uniqueArray(key, { minLength: 1, maxLength: 3 }), { nil: null }),
    span,
    quality: fc.constantFrom('pass', 'suspect', 'fail', 'test'),
  });
  const clock = fc.record({ span, by: fc.oneof(shift(step), drift(step, origin)) });
  const correction = fc.oneof(
    calibration.map((each): Correction => ({
      kind: 'calibration',
      key: each.key,
      ...each.span,
      points: each.points,
    })),
    quality.map((each): Correction => ({
      kind: 'quality',
      keys: each.keys,
      ...each.span,
      quality: each.quality,
    })),
    clock.map((each): Correction => ({ kind: 'time', ...each.span, by: each.by })),
  );
  const derived = fc.oneof(
    derivedFrom('x', key, step),
    derivedFrom('y', fc.oneof(key, fc.constant('x')), step),
  );
  return fc.array(fc.oneof({ weight: 5, arbitrary: correction }, { weight: 1, arbitrary: derived }), {
    maxLength: 5,
  });
}

/** Formulas of one to three keys, of the record itself and of older ones. */
function derivedFrom(key: string, operand: fc.Arbitrary<string>, step: number): fc.Arbitrary<Correction> {
  const named = operand.map((name): Formula => ({ kind: 'key', key: name }));
  const number = fc.integer({ min: -3, max: 3 }).map((value): Formula => ({ kind: 'number', value }));
  const mean = fc
    .record({ key: operand, over: fc.integer({ min: 1, max: 15 * step }) })
    .map((each): Formula => ({ kind: 'mean', ...each }));
  const term = fc.oneof(named, named, number, mean);
  const binary = fc
    .record({ operator: fc.constantFrom('+', '-', '*', '/'), left: term, right: term })
    .map((each): Formula => ({ kind: 'binary', ...each }));
  const call = fc
    .record({ name: fc.constantFrom('min', 'max'), of: fc.array(term, { minLength: 1, maxLength: 3 }) })
    .map((each): Formula => ({ kind: 'call', ...each }));
  const root = term.map((of): Formula => ({ kind: 'call', name: 'sqrt', of: [of] }));
  return fc
    .record({ formula: fc.oneof(named, mean, binary, call, root), within: fc.constantFrom(0, 0, 3, 20) })
    .map(({ formula, within }): Correction => ({
      kind: 'derived',
      key,
      of: printFormula(formula),
      within_s: (within * step) / 1e6,
    }));
}

const line = (reading: fc.Arbitrary<number>) =>
  fc.record({ gain: fc.oneof(fc.constantFrom(1, -1, 0.5, 1e308), reading), offset: reading });

const table = (reading: fc.Arbitrary<number>) =>
  fc
    .tuple(
      fc.uniqueArray(reading, { minLength: 1, maxLength: 4 }),
      fc.uniqueArray(reading, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([raw, values, isFalling]) => {
      const from = raw.toSorted((a, b) => a - b);
      const to = values.slice(0, from.length).toSorted((a, b) => (isFalling ? b - a : a - b));
      return from.map((each, i): [number, number] => [each, to[i]!]);
    });

const shift = (step: number) => fc.integer({ min: -30 * step, max: 30 * step }).map((by) => ({ shift: by }));

/** Clocks that run too fast, too slow, and so that many stored times become one. */
const drift = (step: number, origin: number) =>
  fc
    .record({
      raw: fc.integer({ min: origin - 20 * step, max: origin + 20 * step }),
      passed: fc.integer({ min: 1, max: 40 * step }),
      from: fc.integer({ min: origin - 20 * step, max: origin + 20 * step }),
      to: fc.integer({ min: 1, max: 60 * step }),
    })
    .map(({ raw, passed, from, to }): { at: [ClockPoint, ClockPoint] } => ({
      at: [
        [raw, from],
        [raw + passed, from + to],
      ],
    }));
