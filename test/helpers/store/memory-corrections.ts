import { parseFormula } from '#shared/domain/formula/derived-formula.ts';
import { keysOfFormula, type Formula } from '#shared/domain/formula/formula-terms.ts';
import {
  LEFT_OUT,
  type Calibration,
  type ClockCorrection,
  type Correction,
  type DerivedKey,
} from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';
import type { KeySummary, Lens, StoredRecord, Value, Viewed } from '#core/store/store.ts';
import { numberOf } from './memory-series.ts';

/*
 * The corrected view in its plainest form: map every record, sort, filter.
 */

/** `own` and `formers`: records in the order of their view. */
export function correctedRecords(
  { corrections, formers: before }: Lens,
  own: readonly StoredRecord[],
  formers: readonly (readonly StoredRecord[])[],
): StoredRecord[] {
  const history = before.flatMap(({ until }, i) => formers[i]!.filter(({ timestamp }) => timestamp <= until));
  const mapped = own.map((record) => correctedRecord(record, corrections));
  // A stable sort: what has one time stays as it stands here.
  return withDerived(
    [...history, ...mapped].toSorted((a, b) => a.timestamp - b.timestamp),
    corrections,
  );
}

/** The last correction of each derived key, operands before what is derived of them: here no key leads back to itself. */
function derivedOf(corrections: readonly Correction[]): DerivedKey[] {
  const all = new Map(corrections.flatMap((each) => (each.kind === 'derived' ? [[each.key, each]] : [])));
  const found = new Set<DerivedKey>();
  const add = (key: string) => {
    const derived = all.get(key);
    if (derived === undefined || found.has(derived)) return;
    for (const operand of keysOfFormula(parseFormula(derived.of))) add(operand);
    found.add(derived);
  };
  for (const key of all.keys()) add(key);
  return [...found];
}

export function withoutDerived(viewed: Viewed): Viewed {
  if (typeof viewed === 'string') return viewed;
  const { device, lens } = viewed;
  return {
    device,
    lens: { ...lens, corrections: lens.corrections.filter(({ kind }) => kind !== 'derived') },
  };
}

function withDerived(records: readonly StoredRecord[], corrections: readonly Correction[]): StoredRecord[] {
  let known = [...records];
  for (const { key, of, within_s } of derivedOf(corrections)) {
    const formula = parseFormula(of);
    const operands = [...keysOfFormula(formula)];
    known = known.map((record, i) => {
      const isOf = operands.some((operand) => numberOf(record, operand) !== undefined);
      if (record.keys.includes(key) || !isOf) return record;
      const value = evaluate(formula, known, i, within_s * 1e6);
      if (!Number.isFinite(value)) return record;
      return { ...record, keys: [...record.keys, key], values: [...record.values, value] };
    });
  }
  return known;
}

function evaluate(formula: Formula, records: readonly StoredRecord[], i: number, within: number): number {
  const at = records[i]!.timestamp;
  const of = (part: Formula) => evaluate(part, records, i, within);
  switch (formula.kind) {
    case 'number':
      return formula.value;
    case 'key': {
      const own = numberOf(records[i]!, formula.key);
      if (own !== undefined || within === 0) return own ?? NaN;
      const before = records.slice(0, i).findLast((one) => numberOf(one, formula.key) !== undefined);
      if (before === undefined || before.timestamp < at - within) return NaN;
      return numberOf(before, formula.key) ?? NaN;
    }
    case 'mean': {
      const numbers = records
        .slice(0, i + 1)
        .filter(({ timestamp }) => timestamp > at - formula.over)
        .flatMap((one) => numberOf(one, formula.key) ?? []);
      return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
    }
    case 'negative':
      return -of(formula.of);
    case 'binary': {
      const [a, b] = [of(formula.left), of(formula.right)];
      return { '+': a + b, '-': a - b, '*': a * b, '/': a / b }[formula.operator];
    }
    case 'call':
      return Math[formula.name](...(formula.of.map(of) as [number]));
  }
}

/** About how many values derived keys have, by those of the keys that are stored. */
export function derivedCounts({ corrections }: Lens, stored: readonly KeySummary[]): KeySummary[] {
  const known = new Map(stored.map(({ key, numeric }) => [key, numeric]));
  return derivedOf(corrections).flatMap(({ key, of, within_s }) => {
    const counts = [...keysOfFormula(parseFormula(of))].map((operand) => known.get(operand) ?? 0);
    const count = counts.length === 0 ? 0 : Math[within_s > 0 ? 'max' : 'min'](...counts);
    known.set(key, Math.max(known.get(key) ?? 0, count));
    const isStored = stored.some((one) => one.key === key);
    return isStored || count === 0 ? [] : [{ key, count, numeric: count, isEstimate: true as const }];
  });
}

function correctedRecord(record: StoredRecord, corrections: readonly Correction[]): StoredRecord {
  const at = record.timestamp;
  const holds = ({ from = -Infinity, to = Infinity }: { readonly from?: Micros; readonly to?: Micros }) =>
    from <= at && at <= to;
  const clock = corrections.findLast((each) => each.kind === 'time' && holds(each)) as
    | ClockCorrection
    | undefined;
  const cells = record.keys.flatMap((key, i): [string, Value][] => {
    const flag = corrections.findLast(
      (each) => each.kind === 'quality' && holds(each) && (each.keys === null || each.keys.includes(key)),
    );
    if (flag?.kind === 'quality' && LEFT_OUT.has(flag.quality)) return [];
    const calibration = corrections.findLast(
      (each) => each.kind === 'calibration' && holds(each) && each.key === key,
    ) as Calibration | undefined;
    const value = record.values[i]!;
    return [[key, calibration && typeof value === 'number' ? calibrated(value, calibration) : value]];
  });
  return {
    ...record,
    timestamp: clock ? corrected(at, clock) : at,
    keys: cells.map(([key]) => key),
    values: cells.map(([, value]) => value),
  };
}

function corrected(at: Micros, { by }: ClockCorrection): Micros {
  if ('shift' in by) return at + by.shift;
  const [[raw, from], [rawEnd, to]] = by.at;
  return Math.round(from + (at - raw) * ((to - from) / (rawEnd - raw)));
}

function calibrated(reading: number, { points }: Calibration): number {
  const most = Number.MAX_VALUE;
  const finite = (value: number) => Math.max(-most, Math.min(most, value));
  if ('gain' in points) return finite(reading * points.gain + points.offset);
  if (points.length === 1) return finite(reading + (points[0]![1] - points[0]![0]));
  const after = points.findIndex(([from]) => from > reading);
  // The line between the two points around it, or the one at the end.
  const second = after < 0 ? points.length - 1 : Math.max(1, after);
  const [low, high] = [points[second - 1]!, points[second]!];
  const slope = finite((high[1] - low[1]) / (high[0] - low[0]));
  if (after < 0) return finite(high[1] + (reading - high[0]) * slope);
  const value = low[1] + (reading - low[0]) * slope;
  if (after === 0) return finite(value);
  return low[1] <= high[1] ? Math.min(value, high[1]) : Math.max(value, high[1]);
}
