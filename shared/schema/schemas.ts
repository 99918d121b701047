import { z } from 'zod';
import { VIEWS } from '../domain/corrections.ts';
import { jsonObject } from '../values/json-object.ts';
import { alternatives, splitList } from '../values/text.ts';
import { canonicalInstant, parseInstant, type Micros, type TimeRange } from '../values/time.ts';

export { jsonObject };

/*
 * The vocabulary of the operations, and the resources that several of them speak of (docs/api.md, "Fields"); what one
 * noun alone returns stands beside its operations. Every error text says what the field takes; shared/values/validate.ts puts
 * the field's name before it and what it got behind it. What carries an `id` in its meta stands under that name in the
 * OpenAPI document.
 */

/** The largest `limit` of Fetch data (docs/api.md, "Fetch data"). */
export const MAX_PAGE_LIMIT = 10_000;

/** Text of min to max characters: Unicode code points, as zod and JSON Schema's `maxLength` count them. */
export function text(min: number, max: number) {
  const rule =
    min > 0 ? `must be text of ${min} to ${max} characters` : `must be text of at most ${max} characters`;
  return z.string(rule).min(min, rule).max(max, rule);
}

const wholeRule = (min: number, max: number) =>
  max === Number.MAX_SAFE_INTEGER
    ? `must be a whole number from ${min}`
    : `must be a whole number from ${min} to ${max}`;

/** A whole number of a JSON body, where text is none. */
export function wholeNumberInBody(min: number, max: number) {
  const rule = wholeRule(min, max);
  return z.int(rule).min(min, rule).max(max, rule);
}

/** A whole number of a query: as a number, or as the decimal text a query string carries. */
export function wholeNumber(min: number, max: number) {
  const rule = wholeRule(min, max);
  // Not a union first, which would try its types one by one: every page that is read comes through here twice.
  const read = z.unknown().transform((value, context): number => {
    const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
    if (typeof number === 'number' && Number.isSafeInteger(number) && number >= min && number <= max)
      return number;
    context.addIssue({ code: 'custom', message: rule });
    return z.NEVER;
  });
  return read.meta({ type: 'integer', minimum: min, maximum: max });
}

export function oneOf<const T extends readonly [string, ...string[]]>(values: T) {
  return z.enum(values, `must be ${alternatives(values.map((value) => `"${value}"`))}`);
}

const INSTANT_RULE = 'must be an ISO 8601 time with "Z" or an offset, such as 2026-03-02T20:30:21.202946Z';

/** An ISO 8601 instant, read to whole microseconds. */
export const instant = z
  .string(INSTANT_RULE)
  .transform((value, context): Micros => {
    const micros = parseInstant(value);
    if (micros !== null) return micros;
    context.addIssue({ code: 'custom', message: INSTANT_RULE });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time' });

/** An instant that may lie far ahead: "9999-12-31" is how people write never. µs are exact numbers up to 2255 only. */
export interface FarInstant {
  /** The instant, or the last one that is exact. */
  readonly micros: Micros;
  /** In UTC with six fraction digits. */
  readonly text: string;
}

/** An ISO 8601 instant up to the end of year 9999. */
export const farInstant = z
  .string(INSTANT_RULE)
  .transform((value, context): FarInstant => {
    const micros = parseInstant(value);
    const utc = canonicalInstant(value);
    if (micros !== null && utc !== null)
      return { micros: Math.min(micros, Number.MAX_SAFE_INTEGER), text: utc };
    const message = micros === null ? INSTANT_RULE : 'must lie in the years 0000 to 9999, in UTC';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ type: 'string', format: 'date-time' });

/** The `keys` parameter: split at ",", blanks trimmed, empty ones dropped; nothing left means all keys. */
export const keyList = z
  .string('must be data keys separated by ","')
  .optional()
  .transform((value): readonly string[] | undefined => {
    const keys = splitList(value ?? '');
    return keys.length > 0 ? [...new Set(keys)] : undefined;
  });

/** Which records are read: as they were stored, or through the corrections of their device. */
export const view = oneOf(VIEWS).default('raw');

/** Two optional instants; start must not be after end. */
export const optionalRange = { start: instant.optional(), end: instant.optional() };

/** The custom issue for a range that ends before it starts. */
export function checkOrder(range: TimeRange, context: z.RefinementCtx): void {
  if (range.start !== undefined && range.end !== undefined && range.start > range.end)
    context.addIssue({ code: 'custom', path: ['start'], message: 'must not be after end' });
}

/** Formats of JSON Schema, in answers. */
export const timestamp = z.string().meta({ format: 'date-time' });
export const uuid = z.string().meta({ format: 'uuid' });
/** Count. */
export const count = z.int().nonnegative();

/** An identifier in a path: opaque text, never refused as malformed (docs/api.md, "Fields"). */
export const id = z.string('must be text');

export const PERMISSIONS = ['read', 'write', 'delete', 'admin'] as const;
export type Permission = (typeof PERMISSIONS)[number];

export const project = z
  .object({ id: uuid, name: z.string(), description: z.string(), created_at: timestamp })
  .meta({ id: 'Project' });
export type Project = z.infer<typeof project>;

export const deviceItem = z
  .object({
    id: uuid,
    name: z.string(),
    description: z.string(),
    brand: z.string(),
    model: z.string(),
    avatar: z.string().meta({ format: 'uri' }),
    last_seen: timestamp,
  })
  .meta({ id: 'DeviceItem' });
export type DeviceItem = z.infer<typeof deviceItem>;

export const credentials = z
  .object({ device_id: uuid, device_token: z.string() })
  .meta({ id: 'DeviceCredentials' });
export const createdDevice = deviceItem
  .extend({ tags: z.array(z.string()), metadata: credentials })
  .meta({ id: 'CreatedDevice' });
export type CreatedDevice = z.infer<typeof createdDevice>;
export const device = deviceItem
  .extend({
    tags: z.array(z.string()),
    device_credentials: credentials,
    metadata: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Device' });
export type Device = z.infer<typeof device>;

export const dataRecord = z
  .object({ timestamp })
  .catchall(z.union([z.string(), z.number(), z.boolean()]))
  .meta({ id: 'DataRecord' });
export type DataRecord = z.infer<typeof dataRecord>;

/** Counts of a delete or purge; only those that can apply (docs/api.md, "Envelope"). */
export const deletedCounts = z
  .object({
    devices: count.optional(),
    records: count,
    functions: count.optional(),
    widgets: count.optional(),
  })
  .meta({ id: 'DeletedCounts' });
export type DeletedCounts = z.infer<typeof deletedCounts>;
export const deletion = z.object({ deleted: deletedCounts });

/** Id for undo, and the time when what is kept for it is discarded. */
export const undoable = z.object({ id: z.uuid(), until: timestamp });
/** Counts of a soft delete. */
export const keptDeletion = deletion.extend({ undo: undoable });

/** Impact of a delete or a purge, for people to read before they confirm. */
export const impact = z.object({
  name: z.string(),
  deleted: deletedCounts,
  /** Widgets that stay but lose a source. */
  widgets_trimmed: count,
  /** First and last record times; null without records. */
  first: timestamp.nullable(),
  last: timestamp.nullable(),
  /** Bytes on disk. */
  bytes: count,
});
impact.register(z.globalRegistry, { id: 'Impact' });
export type Impact = z.infer<typeof impact>;

const tagsRule = 'must be an array of at most 50 tags of at most 64 characters';
export const deviceFields = {
  name: text(1, 100),
  description: text(0, 500),
  tags: z.array(z.string(tagsRule).max(64, tagsRule), tagsRule).max(50, tagsRule),
  brand: text(0, 100),
  model: text(0, 100),
};

export const projectFields = { name: text(1, 100), description: text(0, 500) };
/** Whether a project asks for a reason when data are changed (docs/local-api.md, "Reasons"). */
export const reasonRequired = z.boolean('must be true or false');
/** Why something is changed. */
export const reason = text(1, 500);

export const apiKey = z
  .object({
    id: uuid,
    name: z.string(),
    account_id: uuid,
    permissions: z.array(z.enum(PERMISSIONS)),
    project_ids: z.array(z.string()).nullable(),
    expires_at: timestamp.nullable(),
    created_at: timestamp,
    /** `service`: the service's own, which its ready file names. It cannot be revoked. */
    role: z.enum(['user', 'service']),
    /** When a request came with it last; null for never, as far as is known. */
    last_used: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = z.infer<typeof apiKey>;

const widgetSource = z.object(
  { device_id: z.string('must be the id of a device of this project'), key: text(1, 128) },
  'must be {device_id, key}',
);
/** Sources that a widget may have. */
export const MOST_SOURCES = 64;
const widgetSources = z
  .array(widgetSource, 'must be an array of {device_id, key}')
  .max(MOST_SOURCES, `must hold at most ${MOST_SOURCES} sources`);
/** A widget as it was before it lost a device that moved. */
export const widgetBefore = z.object(
  { id: z.string('must be the id of a widget'), sources: widgetSources },
  'must be {id, sources}',
);
export const widgetFields = {
  title: text(1, 100),
  type: text(1, 50),
  sources: widgetSources,
  layout: jsonObject,
  range: jsonObject,
};
export const widget = z.object({ id: uuid, project_id: uuid, ...widgetFields }).meta({ id: 'Widget' });
export type Widget = z.infer<typeof widget>;

const scriptRule = 'must be text of at most 65536 characters';
export const functionFields = {
  device_id: z.string('must be the id of a device of this project'),
  name: text(1, 100),
  type: text(1, 50),
  enabled: z.boolean('must be true or false'),
  script: z.string(scriptRule).max(65_536, scriptRule),
  condition: jsonObject,
};
export const deviceFunction = z
  .object({
    id: uuid,
    project_id: uuid,
    ...functionFields,
    /** Null of a rule for the devices with a tag. */
    device_id: functionFields.device_id.nullable(),
    script: functionFields.script.nullable(),
    condition: jsonObject.nullable(),
    /** Of a rule: when this version of it was made or switched on. */
    since: timestamp.nullable(),
    /** Of a rule that is silenced: until when acts are held back. */
    silenced_until: timestamp.nullable(),
    problem: z.string().nullable(),
  })
  .meta({ id: 'DeviceFunction' });
export type DeviceFunction = z.infer<typeof deviceFunction>;
