import { z } from 'zod';
import { CORRECTION_KINDS, QUALITIES } from '../../domain/corrections.ts';
import { oneOf, reason, text, timestamp } from '../../schema/schemas.ts';
import { dataKey, LONGEST_GAP_S } from './key-settings.ts';
import { when } from './notes.ts';

/* docs/local-api.md, "Corrections": the fields of corrections, as they are given and as they are answered. */

/** Points of a calibration, and keys of a flag, at most. */
const MOST_POINTS = 64;
const MOST_KEYS = 64;

const numberRule = 'must be a number';
const finite = z.number(numberRule);
const POINTS_RULE = `must be 1 to ${MOST_POINTS} pairs [reading, true value], or {"gain", "offset"}`;
// Linters of OpenAPI know no prefixItems.
const point = z.tuple([finite, finite], POINTS_RULE).meta({ items: { type: 'number' } });
const line = z.strictObject({ gain: finite, offset: finite }, POINTS_RULE);
const points = z.union(
  [z.array(point, POINTS_RULE).min(1, POINTS_RULE).max(MOST_POINTS, POINTS_RULE), line],
  POINTS_RULE,
);

const AT_RULE = 'must be two pairs [time of the device, true time]';
const pair = <Time extends z.ZodType>(time: Time) =>
  z.tuple([time, time], AT_RULE).meta({ items: { type: 'string', format: 'date-time' } });
const clockPoint = pair(when);
const at = z
  .tuple([clockPoint, clockPoint], AT_RULE)
  .meta({ items: { type: 'array', items: { type: 'string', format: 'date-time' } } });

const KEYS_RULE = `must be an array of 1 to ${MOST_KEYS} data keys, or null for all`;
const UNCERTAINTY_RULE = 'must be a number from 0, in the unit of the key';
const SHIFT_RULE = 'must be a whole number of µs other than 0';
const WITHIN_RULE = `must be a number of seconds from 0 to ${LONGEST_GAP_S}`;

/** Null is as absent, but for `keys`. */
export const correctionFields = {
  key: dataKey.optional(),
  /** Null: all keys. */
  keys: z.array(dataKey, KEYS_RULE).min(1, KEYS_RULE).max(MOST_KEYS, KEYS_RULE).nullish(),
  from: when.nullish(),
  to: when.nullish(),
  points: points.optional(),
  unit: text(1, 16).nullish(),
  certificate: text(1, 100).nullish(),
  uncertainty: z.number(UNCERTAINTY_RULE).nonnegative(UNCERTAINTY_RULE).nullish(),
  /** Who calibrated. */
  by: text(1, 100).nullish(),
  quality: oneOf(QUALITIES).optional(),
  shift_us: z
    .int(SHIFT_RULE)
    .refine((shift) => shift !== 0, SHIFT_RULE)
    .nullish(),
  at: at.nullish(),
  former_id: z.string('must be the id of the device before this one').optional(),
  until: when.optional(),
  of: text(1, 1000).optional(),
  within_s: z.number(WITHIN_RULE).min(0, WITHIN_RULE).max(LONGEST_GAP_S, WITHIN_RULE).optional(),
  /** Why. */
  reason: reason.nullish(),
};
const fields = z.object(correctionFields);
/** Fields of a correction, checked each for itself. */
export type CorrectionFields = Readonly<z.output<typeof fields>>;
export type CorrectionField = keyof CorrectionFields;

/** Returns the fields of a correction among those of an input. */
export const fieldsIn = (input: object): CorrectionFields =>
  Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(correctionFields, name)));

export const correctionKind = oneOf(CORRECTION_KINDS);

/** Fields as answers have them: those of its kind that it has. */
export const shownFields = {
  key: z.string().optional(),
  keys: z.array(z.string()).nullable().optional(),
  from: timestamp.optional(),
  to: timestamp.optional(),
  points: z
    .union([
      z.array(z.tuple([z.number(), z.number()]).meta({ items: { type: 'number' } })),
      z.object({ gain: z.number(), offset: z.number() }),
    ])
    .optional(),
  unit: z.string().optional(),
  certificate: z.string().optional(),
  uncertainty: z.number().optional(),
  calibrated_by: z.string().optional(),
  quality: z.enum(QUALITIES).optional(),
  shift_us: z.int().optional(),
  at: z
    .tuple([pair(timestamp), pair(timestamp)])
    .meta({ items: { type: 'array', items: { type: 'string', format: 'date-time' } } })
    .optional(),
  former_id: z.string().optional(),
  until: timestamp.optional(),
  of: z.string().optional(),
  within_s: z.number().optional(),
  reason: z.string().optional(),
};
