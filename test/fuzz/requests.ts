import * as fc from 'fast-check';
import type { Published, PublishedOperation } from '../helpers/published.ts';
import { DEVICE, right, rightFields, wild, type Schema } from './values.ts';

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

type Fields = Record<string, unknown>;

const waitsLittle = ({ within_ms, ...others }: Fields): Fields =>
  within_ms === undefined ? others : { ...others, within_ms: Number(within_ms) % 20 };

/** Rules between fields, which schemas cannot say. */
const BETWEEN: Readonly<Record<string, (fields: Fields) => Fields>> = {
  'data.list': (fields) =>
    fields['range'] === 'time'
      ? inOrder({ start: '1700-01-01T00:00:00Z', end: '2200-12-31T23:59:59Z', ...fields })
      : fields,
  'clock.set': ({ mode, now, rate }) => {
    if (mode === undefined) return {};
    if (mode === 'system') return { mode };
    return { mode, ...(now !== undefined && { now }), ...(mode === 'scaled' && { rate: rate ?? 1 }) };
  },
  // What rules do to requests is no answer of an operation: these do nothing.
  'faults.set': ({ seed }) => ({
    ...(seed !== undefined && { seed }),
    rules: [{ do: { delay_ms: 0 } }],
  }),
  // Every timer on the way runs: of a day 1,440 at least.
  'clock.advance': ({ ms }) => (ms === undefined ? {} : { ms: Number(ms) % 86_400_000 }),
  // They would wait for what does not come.
  'requests.verify': waitsLittle,
  'requests.list': waitsLittle,
  'records.follow': waitsLittle,
  'records.export': asWritten,
  'records.delete': inOrder,
  'records.count': inOrder,
  'audit.list': inOrder,
  'records.estimate': asWritten,
  'statistics.get': inOrder,
  'states.get': inOrder,
  'excursions.get': inOrder,
  'excursions.export': inOrder,
  'times.get': inOrder,
  'notes.list': inOrder,
  'notes.create': inOrder,
  // An end alone may lie before what the note begins with.
  'notes.update': ({ start, end, ...others }) =>
    start === undefined || end === undefined ? others : inOrder({ ...others, start, end }),
  // Fields of one kind alone are right together.
  'corrections.create': asFlag,
  'corrections.preview': asFlag,
  'corrections.find': ({ key }) => (key === undefined ? {} : { key, stuck: { seconds: 60 } }),
  'corrections.update': () => ({}),
  'sync.corrections': ({ versions, dry_run }) =>
    versions === undefined ? {} : { versions: [], ...(dry_run !== undefined && { dry_run }) },
  'edits.replace': ({ corrections, ...others }) =>
    corrections === undefined ? others : { ...others, corrections: [] },
  // An end alone may lie beyond the other one, which the key has already.
  'key-settings.set': ({ low, high, ...others }) =>
    typeof low === 'number' && typeof high === 'number'
      ? { ...others, low: Math.min(low, high), high: Math.max(low, high) }
      : others,
  'series.get': inOrder,
  'handover.get': ({ devices, ...others }) =>
    inOrder(devices === undefined ? others : { ...others, devices: [DEVICE] }),
  'sync.digest': inOrder,
  'sync.ids': inOrder,
  // The other settings are for CSV, and the file is none.
  'records.import': asLines,
  'records.examine': asLines,
  'records.compare': asLines,
  'uploads.create': asLines,
  // Worlds of snapshots have tests of their own; here there is none of the name.
  // A name of a path.
  'snapshots.create': ({ name, ...others }) =>
    typeof name === 'string' ? { ...others, name: `n${name.replaceAll('/', '')}`.slice(0, 100) } : others,
  'accounts.create': ({ name }) => (name === undefined ? {} : { name }),
  // What it simulates is for tests of its own; here it is not to begin.
  'simulators.create': ({ project_id, device_id, jitter_ms, through, seed }) =>
    project_id === undefined ? {} : { project_id, device_id, jitter_ms, through, seed, ...NOT_BEGINNING },
  'simulators.building': ({ hours, ...others }) =>
    hours === undefined ? others : { ...others, hours: Number(hours) % 3 },
};

const NOT_BEGINNING = {
  every_ms: 60_000,
  // A clock that is moved by centuries meets it once.
  count: 1,
  keys: { a: { shape: 'constant', value: 1 } },
  start: '2150-01-01T00:00:00Z',
};

function asFlag({ kind, quality }: Fields): Fields {
  const [from, to] = ['2026-03-02T20:30:00Z', '2026-03-02T20:31:00Z'];
  return kind === undefined ? {} : { kind: 'quality', quality: quality ?? 'fail', from, to, reason: 'tried' };
}

function asLines({ on_error }: Fields): Fields {
  return { format: 'ndjson', ...(on_error !== undefined && { on_error }) };
}

/** How a table is written; other formats are written in one way. */
const CSV_ALONE = ['zone', 'delimiter', 'decimal_mark', 'titles', 'notes', 'formulas'];

function asWritten(fields: Fields): Fields {
  // Where a file that was cut off goes on, and files of several devices, are told apart by tests of their own.
  const { from: _, state: __, also: ___, ...others } = inOrder(fields);
  if (fields['format'] === 'csv') {
    const { decimal_mark, ...rest } = others;
    return decimal_mark === ',' ? { ...rest, decimal_mark, delimiter: ';' } : { ...rest, decimal_mark: '.' };
  }
  return Object.fromEntries(Object.entries(others).filter(([name]) => !CSV_ALONE.includes(name)));
}

function inOrder(fields: Fields): Fields {
  const { start, end } = fields;
  if (typeof start !== 'string' || typeof end !== 'string') return fields;
  const ordered = momentOf(start) <= momentOf(end);
  return ordered ? fields : { ...fields, start: end, end: start };
}

/** ms, with the digits that Date drops behind the point. */
const momentOf = (text: string) =>
  Date.parse(text.replace(/\.\d+/, '')) + Number(`0${/\.\d+/.exec(text)?.[0] ?? ''}`) * 1000;

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
      const { [name]: _, ...others } = (request[place] ?? {}) as Fields;
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
