import type { CorrectionAct, CorrectionKind, Quality } from '#shared/domain/corrections.ts';
import type { CorrectionVersion, ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { countOf } from '../../format.ts';
import { exactNumber } from '../../numbers.ts';
import { formatClock, formatDay, formatTime, zoneOffset, type Zone } from '../../time.ts';
import { spanText } from '../facts/span-words.ts';
import { lengthText } from '#shared/values/length-text.ts';

/* What a correction says, in the words of those who measure (VIM, QARTOD). */

export const KIND_WORDS: Readonly<Record<CorrectionKind, string>> = {
  calibration: 'Calibration',
  quality: 'Quality',
  time: 'Clock',
  replaced: 'Replaced device',
  derived: 'Computed key',
};

/** QARTOD's "fail" is what everybody calls bad. */
export const QUALITY_WORDS: Readonly<Record<Quality, string>> = {
  fail: 'bad',
  suspect: 'suspect',
  test: 'test',
  pass: 'good again',
};

/** Act of a version of a correction. */
export const ACT_WORDS: Readonly<Record<CorrectionAct, string>> = {
  created: 'Made',
  changed: 'Changed',
  removed: 'Removed',
  restored: 'Came back',
};

/** What a correction says beside its kind, as answers have it. */
export type SaidFields = NonNullable<CorrectionVersion['after']>;

/** How keys, devices and times are called. */
export interface Called {
  readonly nameOf: (key: string) => string;
  readonly unitOf: (key: string) => string;
  /** Null where it is not known. */
  readonly deviceOf: (id: string) => string | null;
  readonly zone: Zone;
}

type Said = Pick<ShownCorrection, 'kind'> & SaidFields;

/** `+0.4 °C`, `clock 1 h ahead: moved back`, `bad: door open`. */
export function correctionWords(correction: Said, called: Called): string {
  switch (correction.kind) {
    case 'calibration':
      return calibrationWords(correction, called.unitOf(correction.key ?? ''));
    case 'quality': {
      const { quality = 'fail', reason } = correction;
      return QUALITY_WORDS[quality] + (reason === undefined ? '' : `: ${reason}`);
    }
    case 'time':
      return clockWords(correction);
    case 'replaced':
      return `takes the place of “${called.deviceOf(correction.former_id ?? '') ?? correction.former_id}”`;
    case 'derived':
      return `${correction.key} = ${correction.of}`;
  }
}

/** Keys that a correction speaks of, by their names: `temperature, pressure`, `all keys`; of a clock, everything. */
export function keyWords({ kind, key, keys }: Said, { nameOf }: Called): string {
  if (kind === 'time' || kind === 'replaced') return 'all keys';
  if (key !== undefined) return nameOf(key);
  return keys ? keys.map(nameOf).join(', ') : 'all keys';
}

/** `2026-11-19 18:00:00 – 20:00:00 (UTC+01:00)`, `from 2026-11-19 18:00:00 (…) on`, `all time`; where there is little room without the offset. */
export function spanWords({ kind, from, to, until }: Said, zone: Zone, hasOffset = true): string {
  const words = (instant: Micros) => (hasOffset ? moment(instant, zone) : formatTime(instant, zone));
  const [start, end] = [parseInstant(from ?? ''), parseInstant((kind === 'replaced' ? until : to) ?? '')];
  if (start !== null && end !== null)
    return hasOffset ? spanText(start, end, zone) : timesText(start, end, zone);
  if (start !== null) return `from ${words(start)} on`;
  return end === null ? 'all time' : `until ${words(end)}`;
}

/** `2026-11-19 18:00:00 – 20:00:00`: the day once where it is one. */
function timesText(start: Micros, end: Micros, zone: Zone): string {
  const isOneDay = formatDay(start, zone) === formatDay(end, zone);
  return `${formatTime(start, zone)} – ${isOneDay ? formatClock(end, zone) : formatTime(end, zone)}`;
}

/** A version of a correction before or after a change, with its span; `–` for none. */
export const versionWords = (
  { kind }: Pick<CorrectionVersion, 'kind'>,
  fields: CorrectionVersion['after'],
  called: Called,
): string =>
  fields === null
    ? '–'
    : `${correctionWords({ kind, ...fields }, called)}, ${spanWords({ kind, ...fields }, called.zone, false)}`;

/** Kind and keys of a version: `Calibration: temperature`. */
export const versionOf = ({ kind, before, after }: CorrectionVersion, called: Called): string =>
  `${KIND_WORDS[kind]}: ${keyWords({ kind, ...(after ?? before) }, called)}`;

/** A correction as a line of its own: `Calibration of temperature: +0.4 °C, from … on (yearly calibration)`. */
export function lineWords(correction: Said, called: Called): string {
  const { kind, reason } = correction;
  const of = kind === 'calibration' || kind === 'quality' ? ` of ${keyWords(correction, called)}` : '';
  const said = `${KIND_WORDS[kind]}${of}: ${correctionWords(correction, called)}`;
  return `${said}, ${spanWords(correction, called.zone)}${reason === undefined || kind === 'quality' ? '' : ` (${reason})`}`;
}

const moment = (instant: Micros, zone: Zone) => `${formatTime(instant, zone)} (${zoneOffset(instant, zone)})`;

/** Digits that a difference of two readings is right to. */
const RIGHT_DIGITS = 12;
const exact = (value: number) => exactNumber(Number(value.toPrecision(RIGHT_DIGITS)));

/** `+0.4 °C`. */
function offsetText(offset: number, unit: string): string {
  return `${offset > 0 ? '+' : ''}${exact(offset)}${unit === '' ? '' : `\u00A0${unit}`}`;
}

function calibrationWords({ points, unit: own }: Said, unitOfKey: string): string {
  const unit = own ?? unitOfKey;
  if (points === undefined) return '';
  if ('gain' in points) return `× ${exact(points.gain)} ${offsetText(points.offset, unit)}`;
  const offsets = points.map(([raw, value]) => value - raw);
  const [least, most] = [Math.min(...offsets), Math.max(...offsets)];
  if (points.length === 1) return offsetText(offsets[0] ?? 0, unit);
  return `${offsetText(least, unit)} to ${offsetText(most, unit)}, ${countOf(points.length, 'point')}`;
}

function clockWords({ shift_us: shift, at: moments }: Said): string {
  if (shift !== undefined) return shiftWords(shift);
  if (!moments) return '';
  const [first = 0, last = 0] = moments.map(
    ([device, right]) => (parseInstant(device) ?? 0) - (parseInstant(right) ?? 0),
  );
  const words = [first, last].map(aheadWords);
  return words[0] === words[1] ? shiftWords(-first) : `clock drifted: ${words.join(', then ')}`;
}

/** `clock 1 h ahead: moved back`. A clock that is ahead needs a shift below 0. */
function shiftWords(shift_us: Micros): string {
  if (shift_us === 0) return 'clock right';
  return `clock ${aheadWords(-shift_us)}: moved ${shift_us < 0 ? 'back' : 'forward'}`;
}

/** `1 h ahead`, `3 s behind`. */
function aheadWords(by_us: Micros): string {
  return by_us === 0 ? 'right' : `${lengthText(Math.abs(by_us))} ${by_us > 0 ? 'ahead' : 'behind'}`;
}
