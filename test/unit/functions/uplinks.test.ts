import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#core/base/errors.ts';
import { readUplinks, type Uplink } from '#core/functions/uplinks.ts';
import { payloadForm, type PayloadForm } from '#shared/domain/decoders.ts';

/* What a device with a decoder sends (docs/functions.md, "What is taken for bytes"). */

const RECEIVED = 1_700_000_000_123_456;

function form(condition: object): PayloadForm {
  const asked = payloadForm(condition);
  if (typeof asked === 'string') throw new TypeError(asked);
  return asked;
}

function read(condition: object, body: string | Uint8Array, contentType?: string) {
  const bytes = Buffer.from(body as Uint8Array);
  return readUplinks(form(condition), { contentType, bytes, received: RECEIVED }).map((each) =>
    'bytes' in each ? shown(each) : Object.fromEntries(each.keys.map((key, i) => [key, each.values[i]])),
  );
}

const shown = ({ timestamp, bytes, port }: Uplink) => ({
  hex: bytes.toString('hex'),
  ...(port !== null && { port }),
  ...(timestamp !== RECEIVED && { timestamp }),
});

function refusal(condition: object, body: string | Uint8Array, contentType?: string): string {
  try {
    read(condition, body, contentType);
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return error.message;
    throw error;
  }
  return 'accepted';
}

const GATEWAY = { payload: 'json', at: 'up.frm_payload', encoding: 'base64', port_at: 'up.f_port' };

describe('bytes', () => {
  test('are all of a body, whatever they are and whatever its content type says', () => {
    const bytes = randomBytes(200);
    for (const type of [undefined, 'application/json', 'text/plain'])
      expect(read({ payload: 'bytes' }, bytes, type)).toEqual([{ hex: bytes.toString('hex') }]);
    expect(read({ payload: 'bytes' }, '')).toEqual([{ hex: '' }]);
  });

  test.each([
    ['0102ff', '0102ff'],
    ['0x0102FF', '0102ff'],
    ['01 02:fF\n', '0102ff'],
    ['01-02-ff', '0102ff'],
  ])('in hexadecimal: %j', (body, hex) => {
    expect(read({ payload: 'hex' }, body)).toEqual([{ hex }]);
  });

  test.each([
    ['AQL/', '0102ff'],
    ['AQL_', '0102ff'],
    ['AQI=', '0102'],
    ['AQI', '0102'],
    ['AQ==\r\n', '01'],
  ])('in Base64: %j', (body, hex) => {
    expect(read({ payload: 'base64' }, body)).toEqual([{ hex }]);
  });

  test.each([
    [{ payload: 'hex' }, '0102f', 'record 1: the payload must be pairs of hexadecimal digits, got "0102f"'],
    [{ payload: 'hex' }, 'zz', 'record 1: the payload must be pairs of hexadecimal digits, got "zz"'],
    [{ payload: 'base64' }, 'AQL/A', 'record 1: the payload must be Base64, got "AQL/A"'],
    [{ payload: 'base64' }, '{"a":1}', 'record 1: the payload must be Base64, got "{\\"a\\":1}"'],
    [{ payload: 'hex' }, new Uint8Array([0xff]), 'The body must be UTF-8 text; it holds bytes that are not.'],
    [
      { payload: 'bytes' },
      new Uint8Array(32_769),
      'record 1: a payload must be at most 32,768 bytes, got 32769',
    ],
  ])('%j refuses what is not so (%#)', (condition, body, message) => {
    expect(refusal(condition, body)).toBe(message);
  });
});

describe('payloads in JSON', () => {
  const up = (frm_payload: unknown, more: object = {}) => ({ up: { frm_payload, ...more } });

  test('are found by their path, with port and time, one or several, or one a line', () => {
    const one = { ...up('AQI=', { f_port: 7 }), timestamp: '2026-01-01T00:00:00Z' };
    const asked = { hex: '0102', port: 7, timestamp: Date.UTC(2026, 0, 1) * 1000 };
    expect(read(GATEWAY, JSON.stringify(one))).toEqual([asked]);
    expect(read(GATEWAY, JSON.stringify([one, up('')]))).toEqual([asked, { hex: '' }]);
    const lines = `${JSON.stringify(one)}\n\n${JSON.stringify(up('/w'))}\n`;
    expect(read(GATEWAY, lines, 'application/x-ndjson')).toEqual([asked, { hex: 'ff' }]);
  });

  test('may be in lists of a message', () => {
    const condition = { payload: 'json', at: 'DevEUI_uplink.0.payload_hex', encoding: 'hex' };
    expect(read(condition, '{"DevEUI_uplink":[{"payload_hex":"00FF"}]}')).toEqual([{ hex: '00ff' }]);
  });

  test('are missing where an object is an ordinary record', () => {
    expect(read(GATEWAY, '[{"gateway":"up","rssi":-70},{"up":{"frm_payload":null,"f_port":1}}]')).toEqual([
      { gateway: 'up', rssi: -70 },
      { 'up.f_port': 1 },
    ]);
  });

  test.each([
    ['{', /^The body is not valid JSON: /],
    ['[]', 'The body is empty: send one JSON object, or an array of them.'],
    ['7', 'record 1: must be an object of keys and values, got 7'],
    [JSON.stringify([up('AQ'), up('?')]), 'record 2: the payload must be Base64, got "?"'],
    [JSON.stringify(up(7)), 'record 1: "up.frm_payload" must be text in base64, got 7'],
    [
      JSON.stringify(up('AQ', { f_port: 256 })),
      'record 1: "up.f_port" must be a whole number from 0 to 255, got 256',
    ],
    [
      JSON.stringify({ ...up('AQ'), timestamp: 'noon' }),
      /^record 1: timestamp must be an ISO 8601 time .*, got "noon"$/,
    ],
    [
      '{"uplink":{"bytes":"00"}}',
      'record 1: the key "uplink.bytes" is kept for what a decoder takes and says',
    ],
    [JSON.stringify(Array(10_001).fill(up('AQ'))), /^A request stores at most 10,000 payloads/],
  ])('refuses what is wrong in them (%#)', (body, message) => {
    const got = refusal(GATEWAY, body);
    if (typeof message === 'string') expect(got).toBe(message);
    else expect(got).toMatch(message);
  });

  test('a line that is none is named', () => {
    expect(refusal(GATEWAY, '{"a":1}\n{', 'application/x-ndjson')).toMatch(/^record 2 is not valid JSON: /);
  });

  test('what is inherited is not there', () => {
    const condition = { payload: 'json', at: 'constructor.name', encoding: 'hex' };
    expect(read(condition, '{"a":1}')).toEqual([{ a: 1 }]);
  });
});

describe('a condition', () => {
  test.each([
    [null, /^condition is required/],
    [{}, 'condition.payload is required: it must be bytes, hex, base64 or json'],
    [{ payload: 'xml' }, /^condition\.payload .*got "xml"$/],
    [{ payload: 'json', encoding: 'hex' }, /^condition\.at is required/],
    [
      { payload: 'json', at: 'a', encoding: 'rot13' },
      /^condition\.encoding must be hex or base64, got "rot13"$/,
    ],
    [{ payload: 'hex', port: 256 }, 'condition.port must be a whole number from 0 to 255, got 256'],
    [{ payload: 'bytes', at: 'a' }, /at/],
  ])('%j is refused in words', (condition, message) => {
    const words = payloadForm(condition);
    if (typeof message === 'string') expect(words).toContain(message);
    else expect(words).toMatch(message);
  });
});
