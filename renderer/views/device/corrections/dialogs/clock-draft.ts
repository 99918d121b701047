import type { InputOf } from '#shared/operations/index.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import { lengthText } from '#shared/values/length-text.ts';
import { parseDuration } from '../../../../components/facts/duration-words.ts';

/** How it is told what a clock did: by how much it was off, or what it said at one moment or at two. */
export type ClockWay = 'length' | 'one' | 'two';

export interface ClockDraft {
  readonly way: ClockWay;
  readonly is: 'ahead' | 'behind';
  readonly length: string;
  /** The shift that the length says to its last µs, for as long as nobody types another one. */
  readonly told: Micros | null;
}

/** A moment as the device said it, and as it was; null while it is no time. */
export interface ClockMoment {
  readonly device: Micros | null;
  readonly right: Micros | null;
}

export function clockDraftOf(correction: ShownCorrection | undefined, shift_us?: Micros): ClockDraft {
  const shift = shift_us ?? correction?.shift_us;
  if (shift !== undefined)
    return {
      way: 'length',
      is: shift < 0 ? 'ahead' : 'behind',
      length: lengthText(Math.abs(shift)),
      told: shift,
    };
  return { way: correction ? 'two' : 'length', is: 'ahead', length: '', told: null };
}

/** Moments that a correction was told by; none of a shift. */
export function momentsOf(correction: ShownCorrection | undefined): readonly [ClockMoment, ClockMoment] {
  const [first, second] = correction?.at ?? [];
  const none = { device: null, right: null };
  return [first ? momentOf(first) : none, second ? momentOf(second) : none];
}

const momentOf = ([device, right]: readonly [string, string]): ClockMoment => ({
  device: parseInstant(device),
  right: parseInstant(right),
});

export type ClockFields = Pick<InputOf<'corrections.update'>, 'shift_us' | 'at'>;

/** What a draft says; `problem` names what is missing. */
export function clockFields(
  { way, is, length, told }: ClockDraft,
  [first, second]: readonly [ClockMoment, ClockMoment],
): { readonly fields: ClockFields } | { readonly problem: string } {
  if (way === 'length') {
    const isTold = told !== null && length === lengthText(Math.abs(told));
    const micros = isTold ? Math.abs(told) : Math.round((parseDuration(length) ?? 0) * 1e6);
    if (micros === 0) return { problem: 'A time such as 1 h, 2 h 5 min or 12.5 s.' };
    return { fields: { shift_us: is === 'ahead' ? -micros : micros } };
  }
  const one = pairOf(first);
  if (!one) return { problem: 'Both times are needed.' };
  if (way === 'one') {
    const shift = one[1] - one[0];
    return shift === 0
      ? { problem: 'They are the same: the clock was right.' }
      : { fields: { shift_us: shift } };
  }
  const other = pairOf(second);
  if (!other) return { problem: 'All four times are needed.' };
  return { fields: { at: [textsOf(one), textsOf(other)] } };
}

const pairOf = ({ device, right }: ClockMoment) =>
  device === null || right === null ? null : ([device, right] as const);

const textsOf = ([device, right]: readonly [Micros, Micros]): [string, string] => [
  formatMicros(device),
  formatMicros(right),
];
