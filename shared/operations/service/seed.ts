import { z } from 'zod';
import { SOURCES } from '../../domain/sources.ts';
import { bareOperation } from '../../schema/operation.ts';
import {
  deviceFields,
  farInstant,
  functionFields,
  jsonObject,
  oneOf,
  PERMISSIONS,
  projectFields,
  text,
} from '../../schema/schemas.ts';
import { only } from '../../values/only.ts';
import { intervalField } from '../metadata/devices.ts';
import { importSettings } from '../records/record-files.ts';

/*
 * Seed file (docs/rigs.md, "Worlds"): what a service that is started for tests holds at first. A wrong name of a field is an
 * error: it would be left out without a word otherwise.
 */

const listOf = <Item extends z.ZodType>(item: Item, of: string) => z.array(item, `must be an array of ${of}`);

const idRule = 'must be a UUID';
const givenId = z
  .uuid(idRule)
  .transform((id) => id.toLowerCase())
  .optional();

const secretRule = 'must be 8 to 200 letters, digits, "-" or "_"';
const secret = z
  .string(secretRule)
  .regex(/^[0-9A-Za-z_-]{8,200}$/, secretRule)
  .optional();

const recordsRule =
  'must be an array of records as devices send them, or an object of "file" and how to read it';
const records = z.union(
  [
    z.array(z.record(z.string(), z.unknown())),
    z.strictObject({
      /** Beside the seed file, or absolute: a CSV, or NDJSON by its name. */
      file: z.string().min(1),
      ...importSettings,
    }),
  ],
  recordsRule,
);

const permissionsRule = `must be an array of at least one of ${PERMISSIONS.map((name) => `"${name}"`).join(', ')}`;

const device = only({
  id: givenId,
  token: secret,
  name: deviceFields.name,
  source: oneOf(SOURCES).default('http'),
  description: deviceFields.description.default(''),
  tags: deviceFields.tags.default([]),
  brand: deviceFields.brand.default('Custom'),
  model: deviceFields.model.default('Custom'),
  interval_s: intervalField.nullable().default(null),
  metadata: jsonObject.default({}),
  records: records.optional(),
});

/** A rule of a device of its project, by the name of that, or of the devices with a tag. */
const rule = only({
  name: functionFields.name,
  device: text(1, 100).optional(),
  enabled: functionFields.enabled.default(true),
  condition: functionFields.condition,
});

const project = only({
  id: givenId,
  name: projectFields.name,
  description: projectFields.description.default(''),
  devices: listOf(device, 'devices').default([]),
  rules: listOf(rule, 'rules').default([]),
});

const key = only({
  name: text(1, 100),
  /** The text of the key; absent: a new one, which the secrets' list shows. */
  key: secret,
  permissions: z
    .array(z.enum(PERMISSIONS, permissionsRule), permissionsRule)
    .min(1, permissionsRule)
    .default([...PERMISSIONS]),
  /** Names of projects of its world; absent: all of it. */
  projects: listOf(z.string('must be the name of a project'), 'names of projects').optional(),
  expires_at: farInstant.optional(),
});

const world = {
  projects: listOf(project, 'projects').default([]),
  keys: listOf(key, 'keys').default([]),
};

/** A seed file; its projects and keys are the default account's. */
export const seedFile = only({
  ...world,
  accounts: listOf(only({ name: text(1, 100), ...world }), 'accounts').default([]),
});
export type SeedFile = Readonly<z.output<typeof seedFile>>;
export type SeedWorld = Pick<SeedFile, 'projects' | 'keys'>;
export type SeedDevice = Readonly<z.output<typeof device>>;
export type SeedRule = Readonly<z.output<typeof rule>>;

export const seedOperations = {
  'seed.schema': bareOperation({
    method: 'GET',
    path: '/_local/v1/seed.schema.json',
    permissions: ['admin'],
    action: 'get seed schema',
    message: 'Schema of seed files retrieved successfully.',
    description:
      'The JSON Schema of seed files, bare: without the envelope, so that editors can read it by its address.',
    input: z.object({}),
    output: z.record(z.string(), z.unknown()),
  }),
} as const;
