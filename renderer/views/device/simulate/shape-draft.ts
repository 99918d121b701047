import { firstValues, type Shape, type SimulatedValue } from '#shared/domain/shapes.ts';
import { parseDuration } from '../../../components/facts/duration-words.ts';
import { readNumber } from '../../../read-number.ts';

/* The shape of a simulated key, as it is typed. */

export type ShapeName = Shape['shape'];

interface ShapeField {
  readonly label: string;
  /** What it holds at first. */
  readonly first: string;
  readonly kind: 'number' | 'size' | 'duration' | 'value' | 'values';
  readonly optional?: true;
}

/** Fields of each shape, by their names in the operation. */
export const SHAPE_FIELDS: Readonly<Record<ShapeName, Readonly<Record<string, ShapeField>>>> = {
  sine: {
    mean: { label: 'Mean', first: '21.5', kind: 'number' },
    amplitude: { label: 'Amplitude', first: '2', kind: 'number' },
    period_s: { label: 'Period', first: '10 min', kind: 'duration' },
    noise: { label: 'Noise', first: '0.2', kind: 'size', optional: true },
  },
  walk: {
    start: { label: 'Start', first: '50', kind: 'number' },
    step: { label: 'Step', first: '1', kind: 'size' },
    min: { label: 'Least', first: '0', kind: 'number', optional: true },
    max: { label: 'Most', first: '100', kind: 'number', optional: true },
  },
  ramp: {
    from: { label: 'From', first: '0', kind: 'number' },
    to: { label: 'To', first: '100', kind: 'number' },
    period_s: { label: 'Period', first: '10 min', kind: 'duration' },
  },
  counter: {
    step: { label: 'Step', first: '1', kind: 'size' },
    wraps_at: { label: 'Wraps at', first: '', kind: 'size', optional: true },
  },
  states: {
    states: { label: 'States, in turn', first: 'running, idle', kind: 'values' },
    stay_s: { label: 'Each for', first: '1 min', kind: 'duration' },
  },
  constant: { value: { label: 'Value', first: '1', kind: 'value' } },
};

export const SHAPE_LABELS: Readonly<Record<ShapeName, string>> = {
  sine: 'Sine',
  walk: 'Random walk',
  ramp: 'Ramp',
  counter: 'Counter',
  states: 'States',
  constant: 'Constant',
};

/** A key while it is typed. */
export interface KeyDraft {
  /** Tells drafts apart while their names change. */
  readonly id: number;
  readonly key: string;
  readonly shape: ShapeName;
  readonly fields: Readonly<Record<string, string>>;
}

/** Texts of a shape's fields at first. */
export function firstFields(shape: ShapeName): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(SHAPE_FIELDS[shape]).map(([name, { first }]) => [name, first]));
}

type Problems = Readonly<Record<string, string>>;

/** Returns the shape that is typed, or what is wrong with which field. */
export function readShape({
  shape,
  fields,
}: Pick<KeyDraft, 'shape' | 'fields'>): { readonly shape: Shape } | { readonly problems: Problems } {
  const problems: Record<string, string> = {};
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(SHAPE_FIELDS[shape])) {
    const text = (fields[name] ?? '').trim();
    if (text === '' && field.optional === true) continue;
    const found = readField(text, field.kind);
    if ('problem' in found) problems[name] = found.problem;
    else read[name] = found.value;
  }
  const { min, max } = read;
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    problems['min'] = 'Not more than the most.';
  if (Object.keys(problems).length > 0) return { problems };
  // Its fields are those of the table above.
  return { shape: { shape, ...read } as Shape };
}

function readField(
  text: string,
  kind: ShapeField['kind'],
): { readonly value: unknown } | { readonly problem: string } {
  switch (kind) {
    case 'value':
      return { value: valueOf(text) };
    case 'values': {
      const values = text.split(',').map((part) => part.trim());
      return values.includes('')
        ? { problem: 'Values with commas between them.' }
        : { value: values.map(valueOf) };
    }
    case 'duration': {
      const seconds = parseDuration(text);
      return seconds === null || seconds <= 0
        ? { problem: 'A time such as 10 s, 5 min or 2 h.' }
        : { value: seconds };
    }
    case 'number':
    case 'size': {
      const found = readNumber(text);
      if ('problem' in found) return { problem: text === '' ? 'A number.' : found.problem };
      return kind === 'size' && found.number <= 0
        ? { problem: 'A number above 0.' }
        : { value: found.number };
    }
  }
}

/** A number, true, false, or else the text. */
function valueOf(text: string): SimulatedValue {
  if (text === 'true' || text === 'false') return text === 'true';
  const found = readNumber(text);
  return 'number' in found ? found.number : text;
}

const LEAST_VALUES = 60;
const MOST_VALUES = 2000;

/** How many values show what a shape does: two of its periods, as far as that is few enough to draw. */
function valuesWorthSeeing(shape: Shape, every_ms: number): number {
  const ofPeriod = (seconds: number) => Math.ceil((2 * seconds * 1000) / every_ms);
  const wanted =
    'period_s' in shape
      ? ofPeriod(shape.period_s)
      : shape.shape === 'states'
        ? ofPeriod(shape.stay_s * shape.states.length)
        : shape.shape === 'counter' && shape.wraps_at !== undefined
          ? Math.ceil((2 * shape.wraps_at) / shape.step)
          : 300;
  return Math.min(MOST_VALUES, Math.max(LEAST_VALUES, wanted));
}

/** The first values that will be stored, by the function that the service stores by. */
export function previewOf(
  key: string,
  shape: Shape,
  { seed, every_ms }: { readonly seed: number; readonly every_ms: number },
): readonly SimulatedValue[] {
  return firstValues(shape, { seed, key, every_ms }, valuesWorthSeeing(shape, every_ms));
}

/** Least and most of the numbers of each of so many columns. */
export function columnsOf(values: readonly number[], width: number) {
  const count = Math.min(width, values.length);
  const part = (at: number) =>
    values.slice(Math.floor((at * values.length) / count), Math.floor(((at + 1) * values.length) / count));
  const parts = Array.from({ length: count }, (_, at) => part(at));
  return { min: parts.map((each) => Math.min(...each)), max: parts.map((each) => Math.max(...each)) };
}
