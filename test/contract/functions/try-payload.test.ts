import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mqttWorld, type Device, type MqttWorld } from '../mqtt/world.ts';

/* A payload that is typed, and a script that need not be saved (docs/functions.md, "Try a payload"). */

let world: MqttWorld;
let device: Device;

beforeAll(async () => void (world = await mqttWorld()));
beforeEach(async () => void (device = await world.makeDevice('http')));
afterAll(() => world.stop());

const DECODER = `
  function decodeUplink(input) {
    if (input.bytes.length === 0) throw new TypeError('no bytes');
    return {
      data: { t: ((input.bytes[0] << 8) | input.bytes[1]) / 10, port: input.fPort },
      warnings: input.bytes[0] === 0xff ? ['out of range'] : []
    };
  }`;

/** 250 keys that no payload with another first byte has. */
const MANY_KEYS =
  'function decodeUplink({ bytes }) { var data = {}; for (var i = 0; i < 250; i++) data["k" + bytes[0] + "." + i] = i; return { data }; }';

const path = (of = device) => `/_local/v1/projects/${of.project}/functions`;

async function add(script: string): Promise<void> {
  const body = {
    device_id: device.id,
    name: 'Sensor',
    type: 'decoder',
    script,
    condition: { payload: 'hex' },
  };
  expect((await world.request('POST', path(), { body })).status).toBe(200);
}

async function send(hex: string): Promise<void> {
  const raw = { type: 'text/plain', bytes: hex };
  expect((await world.request('POST', '/integrations/http', { key: device.token, raw })).status).toBe(200);
}

const ask = (fields: object) =>
  world.request('POST', `${path()}/try`, { body: { device_id: device.id, script: DECODER, ...fields } });

/** The record of a payload that is tried, without its time. */
async function tried(fields: object): Promise<Record<string, unknown>> {
  const { status, envelope } = await ask(fields);
  expect([status, envelope.message]).toEqual([200, 'Payload decoded successfully.']);
  const { record } = envelope.data as unknown as { readonly record: Record<string, unknown> };
  const { timestamp, ...values } = record;
  expect(timestamp).toMatch(/^\d{4}-.*Z$/);
  return values;
}

/** The latest record, without its time. */
async function stored(): Promise<Record<string, unknown>> {
  const [{ timestamp: _, ...values } = {}] = await world.recordsOf(device);
  return values;
}

describe('a payload that is typed', () => {
  test('becomes the record that would be stored, warning and all', async () => {
    await add(DECODER);
    await send('ff01');
    expect(await tried({ bytes: 'FF 01' })).toEqual(await stored());
  });

  test('is decoded by a script that nobody saved, and nothing is stored', async () => {
    expect(await tried({ bytes: '0x00:d7' })).toEqual({ 'uplink.bytes': '00d7', t: 21.5, port: 1 });
    expect(await world.recordsOf(device)).toEqual([]);
    expect((await world.request('GET', path())).envelope.data).toEqual([]);
  });

  test('has a port as if the device had sent it, or that of the condition', async () => {
    const condition = { payload: 'hex', port: 9 };
    const bytes = '00 d7';
    expect(await tried({ bytes, condition, port: 0 })).toEqual({
      'uplink.bytes': '00d7',
      'uplink.port': 0,
      t: 21.5,
      port: 0,
    });
    expect(await tried({ bytes, condition })).toEqual({ 'uplink.bytes': '00d7', t: 21.5, port: 9 });
  });

  test('tells why there are no values', async () => {
    expect(await tried({ bytes: '' })).toEqual({
      'uplink.bytes': '',
      'uplink.error': 'TypeError: no bytes (line 3)',
    });
    expect(await tried({ bytes: '00', script: 'function decodeUplink(' })).toEqual({
      'uplink.bytes': '00',
      'uplink.error': expect.stringMatching(/SyntaxError/),
    });
  });

  test('has no more keys than its device has room for', async () => {
    await add(MANY_KEYS);
    for (let i = 0; i < 16; i++) await send(`0${i.toString(16)}`);
    const script = MANY_KEYS;
    expect(await tried({ bytes: '0f', script })).toEqual(await stored());
    const would = await tried({ bytes: '10', script });
    await send('10');
    expect(would).toEqual(await stored());
    expect(would).toEqual({
      'uplink.bytes': '10',
      'uplink.error': expect.stringMatching(/4096 distinct keys/),
    });
  });

  test('is refused in words where it is none, and of no device of the project', async () => {
    const other = await world.makeDevice('http');
    for (const [wrong, said] of [
      [{ bytes: '0x12f' }, /^bytes must be pairs of hexadecimal digits/],
      [{ bytes: '00'.repeat(32_769) }, /^bytes must be .* of at most 32,768 bytes/],
      [{ bytes: '00', port: 256 }, /^port must be a whole number from 0 to 255/],
      [{ bytes: '00', condition: { payload: 'xml' } }, /^condition\.payload must be/],
      [{ bytes: '00', device_id: other.id }, /^device_id must be the id of a device of this project/],
    ] as const) {
      const { status, envelope } = await ask(wrong);
      expect([status, envelope.message]).toEqual([400, expect.stringMatching(said)]);
    }
  });
});
