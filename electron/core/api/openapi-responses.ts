import { EXPORT_FORMATS, FORMAT_NAMES, type ExportFormat } from '#shared/domain/file-formats.ts';
import { operationOf, type HttpId } from '#shared/operations/index.ts';
import type { Json, Schemas } from './openapi-schemas.ts';

/* What the service answers, as OpenAPI says it: the envelope around data, refusals, headers. */

export const JSON_TYPE = 'application/json';

interface RefusalText {
  readonly status: number;
  readonly name: string;
  readonly description: string;
}

const REFUSALS = {
  400: {
    status: 400,
    name: 'BadRequest',
    description: 'The request is wrong: `message` says which part, and what it takes.',
  },
  401: {
    status: 401,
    name: 'Unauthorized',
    description: 'The credential is missing, unknown, expired or revoked.',
  },
  403: { status: 403, name: 'Forbidden', description: 'The credential is good but may not do this.' },
  404: { status: 404, name: 'NotFound', description: 'There is no such thing here.' },
  500: {
    status: 500,
    name: 'InternalServerError',
    description: 'The service failed; its log has the id in `message`.',
  },
  413: { status: 413, name: 'ContentTooLarge', description: 'The body is larger than is taken.' },
  416: {
    status: 416,
    name: 'RangeNotSatisfiable',
    description: 'The file ends before the range begins.',
  },
  429: {
    status: 429,
    name: 'TooManyRequests',
    description: 'Too much is sent with this key or token at once. Nothing was stored.',
  },
  503: {
    status: 503,
    name: 'ServiceUnavailable',
    description: 'It cannot be done at the moment. Nothing was stored.',
  },
} as const satisfies Record<number, RefusalText>;

/** Statuses of operations with bodies beyond /v2. */
export const WITH_BODIES = [413, 429, 503] as const;

export const HEADERS = {
  XTotalCount: {
    description: 'Records of the query on all pages.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  Link: {
    description:
      'RFC 8288: the first, prev, next and last page, as far as there are such, relative to the host. Absent where it would be longer than 4 KiB.',
    schema: { type: 'string' },
  },
  ContentDisposition: {
    description: 'A name for the file.',
    required: true,
    schema: { type: 'string' },
  },
  ETag: {
    description: 'Names the bytes of the whole file: as long as it is the same, so are they.',
    schema: { type: 'string' },
  },
  AcceptRanges: {
    description: 'RFC 9110, 14.3: an export that was cut off is continued by `Range: bytes=n-`, with 206.',
    schema: { type: 'string', const: 'bytes' },
  },
  ContentRange: {
    description: 'RFC 9110, 14.4.',
    required: true,
    schema: { type: 'string' },
  },
  RetryAfter: {
    description: 'RFC 9110, 10.2.3: seconds.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  WwwAuthenticate: {
    description: 'RFC 9110, 11.6.1.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
} as const;

const headerRef = (name: keyof typeof HEADERS) => ({ $ref: `#/components/headers/${name}` });

/** Headers of success beside the common ones. */
const SUCCESS_HEADERS: Partial<Record<HttpId, Json>> = {
  'data.list': { 'X-Total-Count': headerRef('XTotalCount'), Link: headerRef('Link') },
  'records.export': {
    'Content-Disposition': headerRef('ContentDisposition'),
    ETag: headerRef('ETag'),
    'Accept-Ranges': headerRef('AcceptRanges'),
  },
};

export function success(id: HttpId, schemas: Schemas): Json {
  const operation = operationOf(id);
  const { status, reply, action, message, media } = operation;
  const headers = SUCCESS_HEADERS[id];
  const response = { description: message, ...(headers && { headers }) };
  if (reply === 'stream')
    return {
      ...response,
      content: media === undefined ? contentOf(EXPORT_FORMATS) : binary(media),
    };
  const data = schemas.schemaOf(operation.output, 'output');
  const schema = reply === 'bare' ? data : envelope({ success: true, status, action, message }, data);
  return { ...response, content: { [JSON_TYPE]: { schema } } };
}

/** A file that is no text. */
export const binary = (media: string): Json => ({
  [media]: { schema: { type: 'string', format: 'binary' } },
});

/** A file in one of these formats. */
export const contentOf = (formats: readonly ExportFormat[]): Json =>
  Object.fromEntries(
    formats.map((format) => {
      const { mediaTypes, isText } = FORMAT_NAMES[format];
      return [mediaTypes[0], { schema: { type: 'string', ...(!isText && { format: 'binary' }) } }];
    }),
  );

/** Returns the response with the rest of a file that was cut off. */
export function rest(id: HttpId, schemas: Schemas): Json {
  const whole = success(id, schemas);
  return {
    ...whole,
    description: 'The rest of the file.',
    headers: { ...SUCCESS_HEADERS[id], 'Content-Range': headerRef('ContentRange') },
  };
}

export const refusalsOf = (statuses: readonly (keyof typeof REFUSALS)[]) =>
  Object.fromEntries(
    statuses.map((status) => [status, { $ref: `#/components/responses/${REFUSALS[status].name}` }]),
  );

/** Returns all refusals, for the document's components. */
export const refusals = (): Json =>
  Object.fromEntries(Object.values(REFUSALS).map((refusal) => [refusal.name, responseOf(refusal)]));

function responseOf({ status, description }: RefusalText): Json {
  const schema = envelope({ success: false, status }, { type: 'null' });
  return {
    description,
    ...(status === 401 && { headers: { 'WWW-Authenticate': headerRef('WwwAuthenticate') } }),
    ...((status === 429 || status === 503) && { headers: { 'Retry-After': headerRef('RetryAfter') } }),
    content: { [JSON_TYPE]: { schema } },
  };
}

/** The envelope with the fields that are always the same as constants. */
export function envelope(
  constants: {
    readonly success: boolean;
    readonly status: number;
    readonly action?: string;
    readonly message?: string;
  },
  data: Json,
): Json {
  return {
    type: 'object',
    required: ['success', 'action', 'status', 'message', 'data'],
    additionalProperties: false,
    properties: {
      success: { type: 'boolean', const: constants.success },
      action: textOf(constants.action),
      status: { type: 'integer', const: constants.status },
      message: textOf(constants.message),
      data,
    },
  };
}

const textOf = (constant: string | undefined) =>
  constant === undefined ? { type: 'string' } : { type: 'string', const: constant };
