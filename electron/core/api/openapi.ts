import { FILE_FORMATS } from '#shared/domain/file-formats.ts';
import { httpOperationIds, inV2, operationOf, type HttpId } from '#shared/operations/index.ts';
import type { Operation } from '#shared/schema/operation.ts';
import { fillPath } from '#shared/schema/path-parameters.ts';
import { count } from '#shared/schema/schemas.ts';
import { VERSION } from '../base/version.ts';
import {
  binary,
  contentOf,
  envelope,
  HEADERS,
  JSON_TYPE,
  refusals,
  refusalsOf,
  rest,
  success,
  WITH_BODIES,
} from './openapi-responses.ts';
import { createSchemas, type Json, type Schemas } from './openapi-schemas.ts';
import { ABOUT, PARAMETERS, TAGS } from './openapi-texts.ts';

/**
 * The service as OpenAPI 3.1, derived from the table of operations; it is the same on every door. What the document does
 * not name carries `x-extension: true`.
 */
export function openApiDocument(): Json {
  const schemas = createSchemas();
  const paths: Record<string, Json> = {};
  for (const id of httpOperationIds) {
    const { method, path } = operationOf(id);
    const item = (paths[fillPath(path, (name) => `{${name}}`)] ??= {});
    item[method.toLowerCase()] = describe(id, schemas);
  }
  paths['/integrations/http'] = { post: ingest(schemas) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Fieldbench',
      version: VERSION,
      description: ABOUT,
      contact: { name: 'Fieldbench' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // Relative to where the document was read, so that it holds on whichever door that was.
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.named,
      responses: refusals(),
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        deviceToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token of a device. `Basic` followed by the token as it is will do as well.',
        },
      },
    },
  };
}

function describe(id: HttpId, schemas: Schemas): Json {
  const operation = operationOf(id);
  const { properties = {}, required = [] } = schemas.schemaOf(operation.input, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const inPath = new Set(operation.path.match(/(?<=:)[a-z_]+/g));
  const fields = Object.entries(properties);
  const names = new Map(Object.entries(operation.bodyNames ?? {}).map(([inBody, name]) => [name, inBody]));
  const inBody =
    operation.body === 'json'
      ? fields
          .filter(([name]) => !inPath.has(name))
          .map(([name, schema]): [string, Json] => [names.get(name) ?? name, schema])
      : [];
  const parameters = fields
    .filter(([name]) => inPath.has(name) || operation.body !== 'json')
    .map(([name, schema]) => ({
      name: operation.headers?.[name] ?? name,
      in: inPath.has(name) ? 'path' : operation.headers?.[name] === undefined ? 'query' : 'header',
      description: PARAMETERS[name] ?? `The id of a ${name.replace(/_id$/, '').replace('key', 'API key')}.`,
      required: inPath.has(name) || required.includes(name),
      schema,
    }));
  return {
    operationId: id,
    tags: [id.slice(0, id.indexOf('.'))],
    summary: sentence(operation.action),
    description: operation.description,
    'x-permission': operation.permissions.join(' and ') || 'any',
    ...(!inV2(id) && { 'x-extension': true }),
    parameters,
    ...(inBody.length > 0 && { requestBody: jsonBody(inBody, required) }),
    ...(operation.body === 'stream' && { requestBody: fileOf(operation) }),
    responses: {
      [operation.status]: success(id, schemas),
      ...refusalsOf([400, 401, 403, 404, 500]),
      ...(operation.reply === 'stream' && { 206: rest(id, schemas), ...refusalsOf([416, 503]) }),
      ...(!inV2(id) && refusalsOf(operation.body === 'none' ? [503] : WITH_BODIES)),
    },
  };
}

function jsonBody(fields: readonly [string, Json][], required: readonly string[]): Json {
  const needed = fields.map(([name]) => name).filter((name) => required.includes(name));
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, field]) => [name, withDefaultInWords(field)])),
    ...(needed.length > 0 && { required: needed }),
  };
  return { required: needed.length > 0, content: { [JSON_TYPE]: { schema } } };
}

/** Generators take a field with a `default` for one that is always there, so that callers would have to send it. */
function withDefaultInWords({ default: absent, ...schema }: Json): Json {
  return absent === undefined ? schema : { ...schema, description: `Absent: ${JSON.stringify(absent)}.` };
}

const fileOf = ({ media }: Operation): Json => ({
  required: true,
  content: media === undefined ? { ...contentOf(FILE_FORMATS), '*/*': { schema: {} } } : binary(media),
});

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Names the request among those of the device: what was stored with a key is not stored again, and the request is answered as the first was. Bare, or a string in quotes.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

/** POST /integrations/http, which devices use: it is not in the table, since its callers are no API keys. */
function ingest(schemas: Schemas): Json {
  const record = {
    type: 'object',
    description:
      'Data keys with numbers, texts, true or false. null is an absent key; objects and arrays become keys with dots ("a.b", "c.0").',
    properties: {
      timestamp: {
        description: 'ISO 8601, or whole milliseconds since 1970. Absent or null, the time of receipt.',
        anyOf: [{ type: 'string', format: 'date-time' }, { type: 'integer' }, { type: 'null' }],
      },
    },
    additionalProperties: true,
  };
  const stored = {
    type: 'object',
    properties: { stored: schemas.schemaOf(count, 'output') },
    required: ['stored'],
    additionalProperties: false,
  };
  const told = { success: true, status: 200, action: 'store data', message: 'Data stored successfully.' };
  return {
    operationId: 'integrations.http',
    tags: ['integrations'],
    summary: 'Store data',
    description:
      'Stores one record, an array of them, or one a line with the Content-Type application/x-ndjson; any other Content-Type is read as JSON. Either all records of a request are stored, safely on disk before the answer, or none.',
    'x-extension': true,
    security: [{ deviceToken: [] }],
    parameters: [IDEMPOTENCY_KEY],
    requestBody: {
      required: true,
      content: {
        [JSON_TYPE]: { schema: { anyOf: [record, { type: 'array', items: record, minItems: 1 }] } },
        'application/x-ndjson': { schema: { type: 'string' } },
      },
    },
    responses: {
      200: { description: told.message, content: { [JSON_TYPE]: { schema: envelope(told, stored) } } },
      ...refusalsOf([400, 401, 403, 500, ...WITH_BODIES]),
    },
  };
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
