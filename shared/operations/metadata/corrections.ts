import { z } from 'zod';
import {
  CORRECTION_ACTS,
  CORRECTION_KINDS,
  MOST_CORRECTIONS,
  MOST_FORMER_VERSIONS,
} from '../../domain/corrections.ts';
import { operation } from '../../schema/operation.ts';
import {
  checkOrder,
  id,
  optionalRange,
  reason,
  timestamp,
  uuid,
  wholeNumberInBody,
} from '../../schema/schemas.ts';
import { oneDevice } from '../../schema/paths.ts';
import { correctionFields, correctionKind, fieldsIn, shownFields } from './correction-fields.ts';
import { checkFind, findFields, preview, suspects } from './correction-looks.ts';
import { wrongIn } from './correction-rules.ts';

/* docs/local-api.md, "Corrections": what people know better of the records of a device, which stay as they were stored. */

const version = wholeNumberInBody(1, Number.MAX_SAFE_INTEGER);

const correction = z
  .object({
    id: uuid,
    device_id: uuid,
    kind: z.enum(CORRECTION_KINDS),
    ...shownFields,
    /** From 1 on; of what was removed and came back the next one. */
    version,
    created: timestamp,
    /** When this version was made, and by whom: the name of an API key, or "app". */
    changed: timestamp,
    by: z.string(),
  })
  .meta({ id: 'Correction' });
export type ShownCorrection = Readonly<z.output<typeof correction>>;

const fields = z.object(shownFields).meta({ id: 'CorrectionFields' });

const correctionVersion = z
  .object({
    correction_id: uuid,
    kind: z.enum(CORRECTION_KINDS),
    version,
    act: z.enum(CORRECTION_ACTS),
    at: timestamp,
    by: z.string(),
    reason: z.string().optional(),
    /** Null where it was not there. */
    before: fields.nullable(),
    after: fields.nullable(),
  })
  .meta({ id: 'CorrectionVersion' });
export type CorrectionVersion = Readonly<z.output<typeof correctionVersion>>;

/** A correction as it is made: its kind, and the fields of that. */
const givenFields = { kind: correctionKind, ...correctionFields };

function checkKind(
  given: { readonly kind: (typeof CORRECTION_KINDS)[number] },
  context: z.RefinementCtx,
): void {
  const wrong = wrongIn(given.kind, fieldsIn(given));
  if (wrong) context.addIssue({ code: 'custom', path: [wrong.field], message: wrong.message });
}

/** As edits have it, which take it back or make it again. */
export const givenCorrection = z.object(givenFields).superRefine(checkKind);
export type GivenCorrection = z.input<typeof givenCorrection>;

const path = '/_local/v1/projects/:project_id/devices/:device_id/corrections';
const oneCorrection = oneDevice.extend({ correction_id: id });
/** In a body the device before this one is `device_id`, which in a path is this one. */
const bodyNames = { device_id: 'former_id' } as const;

export const correctionOperations = {
  'corrections.list': operation({
    method: 'GET',
    path,
    permissions: ['admin'],
    action: 'get corrections',
    message: 'Corrections retrieved successfully.',
    description: 'The corrections of a device, oldest first.',
    input: oneDevice,
    bodyNames,
    output: z.array(correction),
  }),
  'corrections.create': operation({
    method: 'POST',
    path,
    permissions: ['admin'],
    asksForReason: true,
    action: 'create correction',
    message: 'Correction created successfully.',
    description: `Adds a correction of the records of a device, at most ${MOST_CORRECTIONS}. Stored records stay as they are. "calibration": key, points ([[reading, true value], …] or {gain, offset}), from?, to?, unit?, certificate?, uncertainty?, by?. "quality": quality, from, to, reason, keys?. "time": from, to, and shift_us or at ([[time of the device, true time], […]]). "replaced": device_id (in windows former_id), until. "derived": key, of, within_s?. Each may have a reason.`,
    input: oneDevice.extend(givenFields).superRefine(checkKind),
    bodyNames,
    output: correction,
  }),
  'corrections.preview': operation({
    method: 'POST',
    path: `${path}/preview`,
    permissions: ['admin'],
    action: 'preview correction',
    message: 'Correction previewed successfully.',
    description:
      'What a correction would change, which is given as it would be made: how many records it speaks of, and what statistics of their keys are before and after, over the whole history or from `start` to `end`. Nothing is kept.',
    input: oneDevice.extend({ ...givenFields, ...optionalRange }).superRefine((given, context) => {
      checkKind(given, context);
      checkOrder(given, context);
    }),
    bodyNames,
    mayTakeLong: true,
    output: preview,
  }),
  'corrections.find': operation({
    method: 'POST',
    path: `${path}/find`,
    permissions: ['admin'],
    action: 'find suspect values',
    message: 'Suspect values found successfully.',
    description:
      'Spans of a key that someone should look at, by the tests of QARTOD: `spike` differs from the median of itself and its neighbours by more than `times_sd` standard deviations of all such differences, `stuck` says the same number for at least so long, `outside` is beyond limits, `gap` is no number for longer. Nothing is flagged by it.',
    input: oneDevice.extend(findFields).superRefine(checkFind),
    mayTakeLong: true,
    output: suspects,
  }),
  'corrections.update': operation({
    method: 'PATCH',
    path: `${path}/:correction_id`,
    permissions: ['admin'],
    asksForReason: true,
    action: 'update correction',
    message: 'Correction updated successfully.',
    description:
      'Makes a new version of a correction with the fields that are given; null takes one away that need not be there. The version before stays in the history.',
    input: oneCorrection.extend({ kind: correctionKind.optional(), ...correctionFields }),
    bodyNames,
    output: correction,
  }),
  'corrections.delete': operation({
    method: 'DELETE',
    path: `${path}/:correction_id`,
    permissions: ['delete'],
    asksForReason: true,
    action: 'delete correction',
    message: 'Correction deleted successfully.',
    description: 'Removes a correction; it stays in the history.',
    input: oneCorrection.extend({ reason: reason.optional() }),
    output: z.object({ id: uuid }),
  }),
  'corrections.history': operation({
    method: 'GET',
    path: `${path}/history`,
    permissions: ['admin'],
    action: 'get history of corrections',
    message: 'History retrieved successfully.',
    description: `What was made, changed and removed of the corrections of a device, or of one of them, latest first: at most ${MOST_FORMER_VERSIONS} former versions.`,
    input: oneDevice.extend({ correction_id: id.optional() }),
    bodyNames,
    output: z.array(correctionVersion),
  }),
} as const;
