import * as fc from 'fast-check';

/* Values made from JSON Schemas: right ones, and ones that are nearly right or not at all. */

/** The parts of JSON Schema that the published document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly contentEncoding?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Stands for an id of the world that the request will meet. */
export const DEVICE = '$device';
export const PROJECT = '$project';
export const ACCOUNT = '$account';

const PLACES: Readonly<Record<string, unknown>> = {
  project_id: PROJECT,
  device_id: DEVICE,
  account_id: ACCOUNT,
  project_ids: [PROJECT],
  /** Where a device is moved. */
  to: PROJECT,
};

/** Any text: every code unit, so also halves of surrogate pairs, NUL and line breaks. */
const anyText = (minLength = 0, maxLength = 40) =>
  fc.oneof(
    // A grapheme is several characters, and lengths count those.
    fc
      .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) })
      .map((text) => Array.from(text).slice(0, maxLength).join('')),
    fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, minLength + 40) }),
    fc
      .constantFrom('\ud83d', '__proto__', 'constructor', ' ', '\u0000', '../..', '"\r\n', '\ufeff')
      .filter((text) => Array.from(text).length >= minLength),
  );

const two = (number: number) => String(number).padStart(2, '0');

/** What records may carry, as text: 1700 to 2200, with and without fractions and offsets. */
const instantText = fc
  .record({
    year: fc.oneof(fc.constantFrom(1700, 1970, 2026, 2200), fc.integer({ min: 1700, max: 2200 })),
    rest: fc.tuple(
      fc.integer({ min: 1, max: 12 }).map(two),
      fc.integer({ min: 2, max: 28 }).map(two),
      fc.integer({ min: 0, max: 23 }).map(two),
      fc.integer({ min: 0, max: 59 }).map(two),
      fc.integer({ min: 0, max: 59 }).map(two),
    ),
    fraction: fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined }),
    zone: fc.constantFrom('Z', '+00:00', '-05:30', '+14:00'),
  })
  .map(({ year, rest: [month, day, hour, minute, second], fraction, zone }) => {
    const time = `${hour}:${minute}:${second}${fraction === undefined ? '' : `.${fraction}`}`;
    return `${year}-${month}-${day}T${time}${zone}`;
  });

/** JSON as metadata, layouts and conditions hold it: small enough for every limit. */
const jsonObject = fc.dictionary(anyText(0, 20), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });

/** Values that the schema takes. `name` is the field they are for. */
export function right(name: string, schema: Schema): fc.Arbitrary<unknown> {
  if (Object.hasOwn(PLACES, name) && schema.enum === undefined) return fc.constant(PLACES[name]);
  // A key that has expired before it is made is refused.
  if (name === 'expires_at')
    return fc.constantFrom('2100-01-01T00:00:00Z', '9999-12-31T23:59:59.999999Z', null);
  if (name === 'zone') return fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires');
  if (name === 'operation') return fc.constantFrom('ingest', 'projects.list', 'records.import');
  if (name === 'key') return anyText(1, 100).map((text) => text.replaceAll(',', ';'));
  if (name === 'address') return anyText().map((text) => `#/${text}`);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const { type } = schema;
  if (typeof type === 'object') return fc.oneof(...type.map((one) => right(name, { ...schema, type: one })));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => right(name, one)));
  if (schema.$ref !== undefined) return jsonObject;
  if (schema.format === 'date-time') return instantText;
  if (schema.format === 'uuid') return fc.uuid();
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  if (schema.contentEncoding === 'base64')
    return fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('base64'));
  const { minimum = 0, maximum = 1000, minLength = 0, maxLength = 200, minItems = 0, maxItems = 5 } = schema;
  switch (type) {
    case 'integer':
      return fc.oneof(
        fc.constantFrom(minimum, maximum),
        fc.integer({ min: minimum, max: Math.min(maximum, 2000) }),
      );
    case 'number':
      return rightNumber(schema);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.oneof(
        fc.array(right('', schema.items ?? {}), { minLength: minItems, maxLength: Math.min(maxItems, 5) }),
        fc.array(right('', schema.items ?? {}), {
          minLength: Math.min(maxItems, 64),
          maxLength: Math.min(maxItems, 64),
        }),
      );
    case 'object':
      return rightFields(schema);
    default:
      return fc.oneof(anyText(minLength, maxLength), fc.constant('x'.repeat(Math.min(maxLength, 1000))));
  }
}

function rightNumber({ minimum, exclusiveMinimum, maximum = 1e9 }: Schema): fc.Arbitrary<number> {
  const least = minimum ?? exclusiveMinimum ?? -1e9;
  // As text in an address it has at most so many digits.
  return fc
    .double({ min: least, max: Math.min(maximum, 1e9), noNaN: true })
    .map((number) => Math.max(Number(number.toFixed(3)), exclusiveMinimum === undefined ? least : 0.001));
}

/** Objects with all required fields and some others. */
export function rightFields({
  properties = {},
  required = [],
}: Schema): fc.Arbitrary<Record<string, unknown>> {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, right(name, schema)]),
  );
  return fc.record(fields, { requiredKeys: [...required] });
}

/** Values that may be anything, many just beyond what the schema takes. `undefined`: the field is not there. */
export function wild(schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 0, maxLength = 0, maxItems = 0 } = schema;
  return fc.oneof(
    fc.constantFrom<unknown>(
      undefined,
      null,
      true,
      0,
      -0,
      -1,
      1.5,
      1e21,
      2 ** 53,
      [],
      {},
      [[]],
      [null],
      { length: 1 },
      '',
      ' ',
      '0',
      '-1',
      '1.0',
      '1e3',
      '0x10',
      '٣',
      '１',
      ' 1',
      '9007199254740993',
      'null',
      'NaN',
      'true',
      '__proto__',
      'toString',
      '%00',
      '\u0000',
      '\ud800',
      'all,time',
      '2026-02-30T00:00:00Z',
      '2026-01-01',
      '2026-01-01T00:00:00',
      '2026-01-01T24:00:00Z',
      '+012026-01-01T00:00:00Z',
    ),
    fc.constantFrom<unknown>(
      minimum - 1,
      maximum + 1,
      'x'.repeat(Math.min(maxLength, 70_000) + 1),
      Array.from({ length: maxItems + 1 }, () => 'x'),
    ),
    anyText(),
    fc.array(anyText(0, 5), { maxLength: 3 }),
    fc.double(),
    fc.jsonValue({ maxDepth: 3 }),
  );
}
