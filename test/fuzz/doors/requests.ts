import * as fc from 'fast-check';

/* Parts of requests, as senders write them that mean harm or know no better. */

export const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PATCH',
  'DELETE',
  'PUT',
  'OPTIONS',
  'TRACE',
  'CONNECT',
  'PROPFIND',
  'get',
];

/** Of what is read only, or refuses what comes without a body. */
export const ADDRESSES = [
  '/',
  '*',
  '/v2/projects',
  '/v2/projects/',
  '/v2/projects/x/devices',
  '/v2/projects/x/devices/y/data?page=1&limit=10&range=all',
  '/_local/v1/status',
  '/_local/v1/openapi.json',
  '/_local/v1/keys',
  '/static/devices/default.svg',
  '/static/../../etc/passwd',
  '/static/%2e%2e/%2e%2e/etc/passwd',
  '/integrations/http',
  '/console',
  '/console/',
  '/console/../console/index.html',
  '/console/%2e%2e%2fdata%2fmetadata.json',
  '/console/open?token=x',
  '/console/socket',
  'http://localhost/v2/projects',
  'http://example.org/v2/projects',
  '//v2//projects',
  '/v2/projects#x',
  '/v2/projects?%',
  '/v2/projects?a=%zz&a=%C0%AF&__proto__=1',
];

const NAMES = [
  'Host',
  'Authorization',
  'Content-Length',
  'Transfer-Encoding',
  'Connection',
  'Expect',
  'Upgrade',
  'Origin',
  'Referer',
  'Sec-Fetch-Site',
  'Sec-WebSocket-Key',
  'Sec-WebSocket-Version',
  'Sec-WebSocket-Protocol',
  'Cookie',
  'Content-Type',
  'Content-Encoding',
  'Idempotency-Key',
  'Range',
  'If-None-Match',
  'Accept-Encoding',
  'X-Forwarded-For',
  '__proto__',
];

const VALUES = [
  '',
  'localhost',
  '127.0.0.1',
  'evil.example',
  '[::1]',
  'localhost:99999999',
  'http://localhost',
  'null',
  'Bearer x',
  'Basic eDp5',
  'Bearer',
  'bearer  a b',
  'chunked',
  'chunked, chunked',
  'gzip',
  'identity',
  '0',
  '-1',
  '5',
  '1e3',
  '99999999999999999999',
  'close',
  'keep-alive',
  'upgrade',
  'websocket',
  'h2c',
  '100-continue',
  '13',
  'bytes=0-',
  'application/json',
  'application/x-ndjson; charset=utf-16',
  'multipart/form-data',
  'fieldbench',
];

/** Any line of a head, most of them with a name and a value that mean something. */
export const headerLine: fc.Arbitrary<string> = fc.oneof(
  {
    arbitrary: fc.tuple(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)).map(([n, v]) => `${n}: ${v}`),
    weight: 6,
  },
  fc
    .tuple(fc.constantFrom(...NAMES), fc.string({ maxLength: 40 }))
    .map(([name, value]) => `${name}: ${value}`),
  fc.tuple(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 })).map(([n, v]) => `${n}: ${v}`),
  fc.constantFrom(
    ': x',
    ' Host: x',
    'Host : x',
    'X\0: y',
    `A: ${'y'.repeat(17_000)}`,
    `Cookie: ${';'.repeat(9000)}`,
  ),
);

/** Lines that Node's reader takes, and that say nothing of how long the body is or who asks. */
export const innocentLine: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      'Origin',
      'Cookie',
      'Referer',
      'Accept',
      'Range',
      'Content-Type',
      'If-None-Match',
      'X-A',
      '__proto__',
    ),
    fc.oneof(fc.constantFrom(...VALUES), fc.stringMatching(/^[ -~]{0,60}$/)),
  )
  .map(([name, value]) => `${name}: ${value}`);
