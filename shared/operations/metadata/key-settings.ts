import { z } from 'zod';
import { KEY_AXES, KEY_DASHES } from '../../domain/key-looks.ts';
import { operation } from '../../schema/operation.ts';
import { count, id, oneOf, text, uuid, wholeNumberInBody } from '../../schema/schemas.ts';
import { inProject, oneDevice } from '../../schema/paths.ts';

/* docs/local-api.md, "Key settings": how a data key of a device is shown. The stored key never changes. */

/** Ten years, in seconds. */
export const LONGEST_GAP_S = 315_360_000;

const limitRule = 'must be a number, or null for none';
const gapRule = `must be a number of seconds above 0, at most ${LONGEST_GAP_S}, or null for what fits the key`;
const keyRule = 'must be a data key: text of 1 to 128 characters without ","';
export const dataKey = z
  .string(keyRule)
  .min(1, keyRule)
  .max(128, keyRule)
  .refine((key) => !key.includes(','), keyRule);

export const keySettings = z.object({
  /** Empty: under its own name. */
  shown_as: text(0, 100),
  unit: text(0, 16),
  /** Digits after the decimal mark; null for as many as fit. */
  decimals: wholeNumberInBody(0, 9).nullable(),
  /** A slot of the palette, and what its line is drawn with; null for whichever is free. */
  colour: wholeNumberInBody(0, 7).nullable(),
  dash: oneOf(KEY_DASHES).nullable(),
  axis: oneOf(KEY_AXES).nullable(),
  /** The normal range, both ends included; null where it is open. */
  low: z.number(limitRule).nullable(),
  high: z.number(limitRule).nullable(),
  /** A silence longer than this is a gap; null for what fits the key's usual interval. */
  longest_gap_s: z.number(gapRule).positive(gapRule).max(LONGEST_GAP_S, gapRule).nullable(),
});
export type KeySettings = Readonly<z.output<typeof keySettings>>;

const settingsOfKey = keySettings.extend({ device_id: uuid, key: z.string() }).meta({ id: 'KeySettings' });
export type SettingsOfKey = Readonly<z.output<typeof settingsOfKey>>;

export const keySettingsOperations = {
  'key-settings.list': operation({
    method: 'GET',
    path: '/_local/v1/projects/:project_id/key-settings',
    permissions: ['admin'],
    action: 'get key settings',
    message: 'Key settings retrieved successfully.',
    description:
      'How keys are shown: of the devices of a project, or of one of them. Keys without settings are left out.',
    input: inProject.extend({ device_id: id.optional() }),
    output: z.array(settingsOfKey),
  }),
  'key-settings.set': operation({
    method: 'PATCH',
    path: '/_local/v1/projects/:project_id/devices/:device_id/key-settings',
    permissions: ['admin'],
    action: 'set key settings',
    message: 'Key settings changed successfully.',
    description:
      'Changes how a key of a device is shown; what is not given stays. With `apply_to` "project" the same is changed for every device of the project that has this key; with `dry_run` nothing is changed, and the answer says of how many devices it would be. `before` is what they had, for who wants it back (`edits.replace`).',
    input: oneDevice.extend({
      key: dataKey,
      ...keySettings.partial().shape,
      apply_to: oneOf(['device', 'project']).default('device'),
      dry_run: z.boolean('must be true or false').default(false),
    }),
    output: z.object({
      /** Of how many devices the key's settings were changed. */
      changed: count,
      /** The settings before, and whose they were; null where nothing was changed, or of more devices than edits take. */
      before: z.array(z.object({ device_ids: z.array(uuid), settings: keySettings })).nullable(),
    }),
  }),
} as const;
