import * as fc from 'fast-check';
import type { Published, PublishedOperation } from '../helpers/published.ts';
import { BETWEEN } from './between-fields.ts';
import { right, rightFields, wild, type Schema } from './values.ts';

/* Requests made from the published document: whole and right ones, and ones with a single fault. */

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  readonly published: PublishedOperation;
}

export interface FuzzRequest {
  /** Instead of the world's own ids: text as it stands in the path. */
  readonly ids: Readonly<Record<string, string>>;
  /** Values are texts, or arrays for parameters that are repeated. */
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** The one field that was made wild, with its schema; null where all is right. */
  readonly fault: {
    readonly name: string;
    readonly value: unknown;
    readonly schema: Schema;
    readonly required: boolean;
  } | null;
}

export function operationsOf(document: Published): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, published]) => ({
      id: published.operationId,
      method: method.toUpperCase(),
      path,
      published,
    })),
  );
}

const JSON_TYPE = 'application/json';

/** Schema of the query, and of the JSON body where there is one. */
function fieldsOf({ published }: Operation): { query: Schema; body: Schema | undefined } {
  const inQuery = (published.parameters ?? []).filter((parameter) => parameter.in === 'query');
  return {
    query: {
      properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])),
      required: inQuery.filter(({ required }) => required).map(({ name }) => name),
    },
    body: published.requestBody?.content[JSON_TYPE]?.schema,
  };
}

/** Requests whose every field is right. */
export function rightRequest(operation: Operation): fc.Arbitrary<FuzzRequest> {
  const { query, body } = fieldsOf(operation);
  const fields = (schema: Schema) => rightFields(schema).map((made) => BETWEEN[operation.id]?.(made) ?? made);
  return fc.record({
    ids: fc.constant({}),
    query: fields(query),
    body: body ? fields(body) : fc.constant(undefined),
    fault: fc.constant(null),
  });
}

/** The same with one field of the query or the body wild. Null where the operation has none. */
export function faultyRequest(operation: Operation): fc.Arbitrary<FuzzRequest> | null {
  const { query, body } = fieldsOf(operation);
  const places = (
    [
      ['query', query],
      ['body', body],
    ] as const
  ).flatMap(([place, schema]) =>
    Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
      place,
      name,
      schema: field,
      required: schema?.required?.includes(name) ?? false,
    })),
  );
  if (places.length === 0) return null;
  return fc.constantFrom(...places).chain(({ place, name, schema, required }) =>
    fc.tuple(rightRequest(operation), wild(schema)).map(([request, value]) => {
      const { [name]: _, ...others } = (request[place] ?? {}) as Record<string, unknown>;
      const fields = value === undefined ? others : { ...others, [name]: value };
      return { ...request, [place]: fields, fault: { name, value, schema, required } };
    }),
  );
}

/** Path segments that have surprised other services. They stand in the path as they are. */
const HOSTILE = [
  '',
  '.',
  '..',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%zz',
  '%',
  'a%2Fb',
  '%F0%9F%94%A5',
  '%ED%A0%80',
  '%C0%AF',
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  '0',
  '-1',
  "'%20or%20'1'='1",
  '{id}',
  ':id',
  'x'.repeat(8000),
  '00000000-0000-4000-8000-000000000000',
  '~',
  ';a=b',
  '*',
];

/** The same with one id of the path replaced by another text. Null where the path has none. */
export function hostileRequest(operation: Operation): fc.Arbitrary<FuzzRequest> | null {
  const names = operation.path.match(/(?<=\{)\w+(?=\})/g) ?? [];
  if (names.length === 0) return null;
  const text = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'grapheme', maxLength: 20 }).map((made) => encodeURIComponent(made.toWellFormed())),
  );
  return fc
    .tuple(rightRequest(operation), fc.constantFrom(...names), text)
    .map(([request, name, id]) => ({ ...request, ids: { [name]: id } }));
}

/** Records as devices send them, right in every field. */
export const rightRecords = fc.array(
  fc
    .record({
      key: fc.constantFrom('a', 'b.c', 'µ ', 'ключ', 'x"y', 'constructor', '0', 'half \ud83d'),
      value: fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.string({ unit: 'binary' }),
        fc.integer(),
      ),
    })
    .chain(({ key, value }) =>
      fc.record({
        [key]: fc.constant(value),
        n: fc.nat(),
        timestamp: right('timestamp', { format: 'date-time' }),
      }),
    ),
  { minLength: 1, maxLength: 5 },
);

/** Bodies that may be anything. */
export const wildBody: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.json(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '{}',
    '[{}]',
    '{"a":1e999}',
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    '{"a":{"a":{"a":{"a":{"a":1}}}}}',
    '\ufeff{"a":1}',
    'a,b\n1,2\n',
    '{"timestamp":"x","a":1}',
    '{"timestamp":8.64e15,"a":1}',
    '{"a,b":1}',
    '{"":1}',
    '{"a":null}',
  ),
);
