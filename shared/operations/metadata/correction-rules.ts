import type {
  Calibration,
  CalibrationPoint,
  ClockCorrection,
  ClockPoint,
  CorrectionKind,
  KeptCorrection,
} from '../../domain/corrections.ts';
import { parseFormula } from '../../domain/formula/derived-formula.ts';
import { FormulaError, keysOfFormula } from '../../domain/formula/formula-terms.ts';
import { quote } from '../../values/validate.ts';
import { FIRST_RECORD_TIME, LAST_RECORD_TIME, type Micros } from '../../values/time.ts';
import type { CorrectionField, CorrectionFields } from './correction-fields.ts';

/* docs/local-api.md, "Corrections": what the fields of each kind have to be together. */

interface FieldsOfKind {
  readonly needs: readonly CorrectionField[];
  readonly may: readonly CorrectionField[];
}

const FIELDS: Readonly<Record<CorrectionKind, FieldsOfKind>> = {
  time: { needs: ['from', 'to'], may: ['shift_us', 'at'] },
  replaced: { needs: ['former_id', 'until'], may: [] },
  calibration: {
    needs: ['key', 'points'],
    may: ['from', 'to', 'unit', 'certificate', 'uncertainty', 'by'],
  },
  derived: { needs: ['key', 'of'], may: ['within_s'] },
  quality: { needs: ['from', 'to', 'quality', 'reason'], may: ['keys'] },
};

/** What is wrong with a field, behind its name. */
export interface WrongField {
  readonly field: CorrectionField;
  readonly message: string;
}

const wrong = (field: CorrectionField, message: string): WrongField => ({ field, message });

/** Returns the first thing that is wrong with fields of a kind; null where all are right. */
export function wrongIn(kind: CorrectionKind, fields: CorrectionFields): WrongField | null {
  const { needs, may } = FIELDS[kind];
  const all: readonly CorrectionField[] = [...needs, ...may, 'reason'];
  for (const field of Object.keys(fields) as CorrectionField[])
    if (isGiven(fields, field) && !all.includes(field))
      return wrong(
        field,
        `must be absent: a correction of the kind "${kind}" has ${[...new Set(all)].join(', ')}`,
      );
  for (const field of needs)
    if (!isGiven(fields, field)) return wrong(field, `must be given for a correction of the kind "${kind}"`);
  const { from, to } = fields;
  if (typeof from === 'number' && typeof to === 'number' && from > to)
    return wrong('from', 'must not be after to');
  return WRONG[kind](fields);
}

/** Null is as absent, but for `keys`, where it says something. */
const isGiven = (fields: CorrectionFields, field: CorrectionField) =>
  fields[field] !== undefined && (fields[field] !== null || field === 'keys');

const WRONG: Readonly<Record<CorrectionKind, (fields: CorrectionFields) => WrongField | null>> = {
  time: wrongClock,
  replaced: () => null,
  calibration: ({ points }) => (points === undefined ? null : wrongPoints(points)),
  derived: wrongFormula,
  quality: () => null,
};

function wrongPoints(points: Calibration['points']): WrongField | null {
  if ('gain' in points)
    return points.gain === 0
      ? wrong('points', 'must have a gain other than 0: all readings would be one value')
      : null;
  const sorted = inOrder(points);
  const [first, second] = sorted;
  if (first === undefined || second === undefined) return null;
  const isRising = second[1] > first[1];
  for (const [i, [raw, value]] of sorted.entries()) {
    const before = sorted[i - 1];
    if (before === undefined) continue;
    if (raw === before[0]) return wrong('points', `must have each reading once, and have ${raw} twice`);
    if (value === before[1] || value > before[1] !== isRising)
      return wrong(
        'points',
        `must have true values that only rise or only fall with the readings, and have ${before[1]} at ${before[0]}, then ${value} at ${raw}`,
      );
  }
  return null;
}

function wrongClock(fields: CorrectionFields): WrongField | null {
  const { from, to, shift_us, at } = fields;
  if (isGiven(fields, 'shift_us') === isGiven(fields, 'at'))
    return wrong('shift_us', 'must be given, or at in its place, for a correction of the kind "time"');
  if (at) {
    const [[firstRaw, firstTrue], [lastRaw, lastTrue]] = inTime(at);
    if (firstRaw === lastRaw) return wrong('at', 'must be two different times of the device');
    if (firstTrue >= lastTrue)
      return wrong('at', 'must have its true times in the order of those of the device');
  }
  const by = clockOf({ shift_us, at });
  for (const [field, end] of [
    ['from', from],
    ['to', to],
  ] as const) {
    const corrected = correctedTime(end ?? 0, by);
    if (corrected < FIRST_RECORD_TIME || corrected > LAST_RECORD_TIME)
      return wrong(field, 'must lie in the years 1700 to 2200 when it is corrected, too');
  }
  return null;
}

function wrongFormula({ key = '', of = '' }: CorrectionFields): WrongField | null {
  try {
    const keys = keysOfFormula(parseFormula(of));
    if (keys.size === 0) return wrong('of', 'must be a formula that names a key');
    if (keys.has(key)) return wrong('of', `must be a formula of other keys than ${quote(key)}`);
    return null;
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    return wrong('of', `must be a formula: ${error.message}`);
  }
}

/** The corrected time of a moment of the device's clock, µs; not rounded. */
function correctedTime(time: Micros, by: ClockCorrection['by']): number {
  if ('shift' in by) return time + by.shift;
  const [[firstRaw, firstTrue], [lastRaw, lastTrue]] = by.at;
  return firstTrue + ((time - firstRaw) * (lastTrue - firstTrue)) / (lastRaw - firstRaw);
}

const inOrder = (points: readonly CalibrationPoint[]): readonly CalibrationPoint[] =>
  points.toSorted(([a], [b]) => a - b);

const inTime = ([one, other]: readonly [ClockPoint, ClockPoint]): readonly [ClockPoint, ClockPoint] =>
  one[0] <= other[0] ? [one, other] : [other, one];

const clockOf = ({ shift_us, at }: Pick<CorrectionFields, 'shift_us' | 'at'>): ClockCorrection['by'] =>
  at ? { at: inTime(at) } : { shift: shift_us ?? 0 };

/** Not −0, which JSON does not know. */
const plain = (value: number) => value + 0;

/** Returns the correction that right fields say: points in the order of their readings. */
export function keptOf(kind: CorrectionKind, fields: CorrectionFields): KeptCorrection {
  const { key = '', from, to, until = 0, of = '', within_s = 0, former_id = '', points = [] } = fields;
  const span = { from: from ?? 0, to: to ?? 0 };
  switch (kind) {
    case 'time':
      return { kind, ...span, by: clockOf(fields) };
    case 'replaced':
      return { kind, device_id: former_id, until };
    case 'derived':
      return { kind, key, of, within_s: plain(within_s) };
    case 'quality':
      return {
        kind,
        keys: fields.keys ? [...new Set(fields.keys)] : null,
        ...span,
        quality: fields.quality ?? 'fail',
      };
    case 'calibration': {
      const { unit, certificate, uncertainty, by } = fields;
      return {
        kind,
        key,
        ...(typeof from === 'number' && { from }),
        ...(typeof to === 'number' && { to }),
        points: plainPoints(points),
        ...(typeof unit === 'string' && { unit }),
        ...(typeof certificate === 'string' && { certificate }),
        ...(typeof uncertainty === 'number' && { uncertainty: plain(uncertainty) }),
        ...(typeof by === 'string' && { calibrated_by: by }),
      };
    }
  }
}

const plainPoints = (points: Calibration['points']): Calibration['points'] =>
  'gain' in points
    ? { gain: points.gain, offset: plain(points.offset) }
    : inOrder(points).map(([raw, value]) => [plain(raw), plain(value)] as const);

/** Returns the fields that say a correction; those that others are merged with. */
export function fieldsOfKept(kept: KeptCorrection): CorrectionFields {
  switch (kept.kind) {
    case 'time': {
      const { from, to, by } = kept;
      return 'shift' in by ? { from, to, shift_us: by.shift } : { from, to, at: atOf(by.at) };
    }
    case 'replaced':
      return { former_id: kept.device_id, until: kept.until };
    case 'derived': {
      const { key, of, within_s } = kept;
      return { key, of, within_s };
    }
    case 'quality': {
      const { keys, from, to, quality } = kept;
      return { keys: keys && [...keys], from, to, quality };
    }
    case 'calibration': {
      const { kind: _, calibrated_by, points, ...others } = kept;
      return {
        ...others,
        points: 'gain' in points ? points : points.map(([raw, value]): [number, number] => [raw, value]),
        ...(calibrated_by !== undefined && { by: calibrated_by }),
      };
    }
  }
}

const atOf = ([[a, b], [c, d]]: readonly [ClockPoint, ClockPoint]): [[Micros, Micros], [Micros, Micros]] => [
  [a, b],
  [c, d],
];

/** Returns the fields with others in place of their own; a shift takes the place of two known moments, and they of it. */
export function mergedFields(before: CorrectionFields, given: CorrectionFields): CorrectionFields {
  const after: Record<string, unknown> = {
    ...before,
    ...(typeof given.shift_us === 'number' && { at: undefined }),
    ...(given.at && { shift_us: undefined }),
  };
  for (const [field, value] of Object.entries(given)) if (value !== undefined) after[field] = value;
  return after;
}
