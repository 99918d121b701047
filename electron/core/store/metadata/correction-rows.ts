import { z } from 'zod';
import { QUALITIES, type KeptCorrection } from '#shared/domain/corrections.ts';

/* Rows of corrections and of what they were before (docs/storage-format.md, "Metadata"). What a correction says is one field. */

const id = z.string().min(1);
const micros = z.int();
const pair = z.tuple([z.number(), z.number()]);

const what: z.ZodType<KeptCorrection> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('calibration'),
    key: z.string(),
    from: micros.optional(),
    to: micros.optional(),
    points: z.union([z.array(pair), z.object({ gain: z.number(), offset: z.number() })]),
    unit: z.string().optional(),
    certificate: z.string().optional(),
    uncertainty: z.number().optional(),
    calibrated_by: z.string().optional(),
  }),
  z.object({
    kind: z.literal('quality'),
    keys: z.array(z.string()).nullable(),
    from: micros,
    to: micros,
    quality: z.enum(QUALITIES),
  }),
  z.object({
    kind: z.literal('time'),
    from: micros,
    to: micros,
    by: z.union([z.object({ shift: micros }), z.object({ at: z.tuple([pair, pair]) })]),
  }),
  z.object({ kind: z.literal('replaced'), device_id: id, until: micros }),
  z.object({ kind: z.literal('derived'), key: z.string(), of: z.string(), within_s: z.number() }),
]);

const common = { id, project_id: id, device_id: id };
/** When this version was made, by whom, and why: the name of an API key or "app"; "" for no reason. */
const version = { version: z.int().min(1), changed: micros, by: z.string(), reason: z.string() };
const made = { created: micros, sequence: z.int() };

export const correctionRow = z.object({ ...common, what, ...version, ...made });

/** A version that another one took the place of. `created`: when it did. */
export const formerVersionRow = z.object({
  ...common,
  correction_id: id,
  /** Null: it was removed. */
  what: what.nullable(),
  ...version,
  /** `created` and `sequence` of the correction: it comes back in its place. */
  first: micros,
  place: z.int(),
  ...made,
});
