import { z } from 'zod';
import { inDocument, operationIds, operationOf } from '#shared/operations/index.ts';
import type { OperationId } from '#shared/operations/index.ts';
import { VERSION } from '../version.ts';

type Json = Record<string, unknown>;

/**
 * The service as OpenAPI 3.1, derived from the table of operations. What the document does not name carries
 * `x-extension: true`.
 */
export function openApiDocument(base_url: string): Json {
  const paths: Record<string, Json> = {};
  for (const id of operationIds) {
    const { method, path } = operationOf(id);
    const item = (paths[path.replaceAll(/:([a-z_]+)/g, '{$1}')] ??= {});
    item[method.toLowerCase()] = describe(id);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Fieldbench', version: VERSION },
    servers: [{ url: base_url }],
    security: [{ apiKey: [] }],
    components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    paths,
  };
}

function describe(id: OperationId): Json {
  const operation = operationOf(id);
  const schema = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  const required = new Set(schema.required);
  const inPath = new Set(operation.path.match(/(?<=:)[a-z_]+/g));
  const fields = Object.entries(schema.properties ?? {});
  const inBody = operation.body === 'json' ? fields.filter(([name]) => !inPath.has(name)) : [];
  const parameters = fields
    .filter(([name]) => inPath.has(name) || operation.body !== 'json')
    .map(([name, field]) => ({
      name,
      in: inPath.has(name) ? 'path' : 'query',
      required: inPath.has(name) || required.has(name),
      schema: field,
    }));
  return {
    operationId: id,
    summary: operation.action,
    'x-permission': operation.permission,
    ...(!inDocument(id) && { 'x-extension': true }),
    parameters,
    ...(inBody.length > 0 && {
      requestBody: {
        required: inBody.some(([name]) => required.has(name)),
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: Object.fromEntries(inBody),
              required: inBody.map(([name]) => name).filter((name) => required.has(name)),
            },
          },
        },
      },
    }),
    ...(operation.body === 'stream' && {
      requestBody: {
        required: true,
        content: {
          'text/csv': { schema: { type: 'string' } },
          'application/x-ndjson': { schema: { type: 'string' } },
        },
      },
    }),
    responses: responses(id),
  };
}

function responses(id: OperationId): Json {
  const { status, reply, output, message } = operationOf(id);
  const data = z.toJSONSchema(output, { io: 'output', unrepresentable: 'any' });
  const success =
    reply === 'stream'
      ? { 'application/x-ndjson': { schema: { type: 'string' } }, 'text/csv': { schema: { type: 'string' } } }
      : { 'application/json': { schema: envelopeOf(data) } };
  const refusals = {
    400: 'Bad Request',
    401: 'Unauthorized',
    403: 'Forbidden',
    404: 'Not Found',
    500: 'Internal Server Error',
  };
  return {
    [status]: { description: message, content: success },
    ...Object.fromEntries(
      Object.entries(refusals).map(([code, description]) => [
        code,
        { description, content: { 'application/json': { schema: envelopeOf({ type: 'null' }) } } },
      ]),
    ),
  };
}

function envelopeOf(data: unknown): Json {
  return {
    type: 'object',
    required: ['success', 'action', 'status', 'message', 'data'],
    properties: {
      success: { type: 'boolean' },
      action: { type: 'string' },
      status: { type: 'integer' },
      message: { type: 'string' },
      data,
    },
  };
}
