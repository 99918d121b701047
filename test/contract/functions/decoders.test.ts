import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mqttWorld, publishOf, signedIn, type Device, type MqttWorld } from '../mqtt/world.ts';

/* Devices that send bytes (docs/functions.md, "Decoders"), over both doors. */

let world: MqttWorld;
let device: Device;

beforeAll(async () => void (world = await mqttWorld()));
beforeEach(async () => void (device = await world.makeDevice('http')));
afterAll(() => world.stop());

const DECODER = `
  var calls = 0;
  function decodeUplink(input) {
    calls++;
    if (input.bytes.length === 0) throw new TypeError('no bytes');
    return {
      data: { t: ((input.bytes[0] << 8) | input.bytes[1]) / 10, port: input.fPort, calls: calls },
      warnings: input.bytes[0] === 0xff ? ['out of range'] : []
    };
  }`;

interface Made {
  readonly id: string;
  readonly problem: string | null;
}

async function add(fields: object = {}, of = device): Promise<Made> {
  const { status, envelope } = await world.request('POST', `/_local/v1/projects/${of.project}/functions`, {
    body: {
      device_id: of.id,
      name: 'Sensor',
      type: 'decoder',
      script: DECODER,
      condition: { payload: 'bytes' },
      ...fields,
    },
  });
  expect([status, envelope.message]).toEqual([200, 'Function created successfully.']);
  return envelope.data as unknown as Made;
}

const change = async (id: string, fields: object) => {
  const path = `/_local/v1/projects/${device.project}/functions/${id}`;
  const { status, envelope } = await world.request('PATCH', path, { body: fields });
  expect(status).toBe(200);
  return envelope.data as unknown as Made;
};

const send = (bytes: readonly number[] | string, headers: Record<string, string> = {}) =>
  world.request('POST', '/integrations/http', {
    key: device.token,
    raw: {
      type: 'application/octet-stream',
      bytes: typeof bytes === 'string' ? bytes : new Uint8Array(bytes),
    },
    headers,
  });

/** Records without their times, newest first. */
const records = async (of = device) =>
  (await world.recordsOf(of)).map(
    ({ timestamp, ...values }) => (expect(timestamp).toBeTypeOf('string'), values),
  );

describe('over HTTP', () => {
  test('bytes are stored beside what they mean', async () => {
    expect((await add()).problem).toBeNull();
    const { status, envelope } = await send([0x00, 0xd7]);
    expect([status, envelope.data]).toEqual([200, { stored: 1 }]);
    expect(await records()).toEqual([{ 'uplink.bytes': '00d7', calls: 1, port: 1, t: 21.5 }]);
  });

  test('each call begins from the script as it was loaded', async () => {
    await add();
    for (const byte of [1, 2, 3]) await send([0, byte]);
    expect((await records()).map(({ calls, t }) => [calls, t])).toEqual([
      [1, 0.3],
      [1, 0.2],
      [1, 0.1],
    ]);
  });

  test('a gateway’s messages have port and time, and others are ordinary records', async () => {
    await add({
      condition: { payload: 'json', at: 'up.data', encoding: 'base64', port_at: 'up.port' },
    });
    const { status } = await world.request('POST', '/integrations/http', {
      key: device.token,
      body: [
        { up: { data: 'ANc=', port: 7 }, timestamp: '2026-01-01T00:00:00Z' },
        { gateway: 'up', timestamp: '2026-01-01T00:00:01Z' },
        { up: { data: '/wE' }, timestamp: '2026-01-01T00:00:02Z' },
      ],
    });
    expect(status).toBe(200);
    expect(await world.recordsOf(device)).toEqual([
      {
        timestamp: '2026-01-01T00:00:02.000000Z',
        'uplink.bytes': 'ff01',
        'uplink.warning': 'out of range',
        calls: 1,
        port: 1,
        t: 6528.1,
      },
      { timestamp: '2026-01-01T00:00:01.000000Z', gateway: 'up' },
      {
        timestamp: '2026-01-01T00:00:00.000000Z',
        'uplink.bytes': '00d7',
        'uplink.port': 7,
        calls: 1,
        port: 7,
        t: 21.5,
      },
    ]);
  });

  test.each([
    ['throws', DECODER, [], 'TypeError: no bytes (line 5)'],
    ['has no function', 'var a = 1;', [1], /decodeUplink/],
    ['is no JavaScript', 'function decodeUplink(', [1], /SyntaxError/],
    ['never ends', 'function decodeUplink() { for (;;); }', [1], /too long/],
    [
      'takes all memory',
      'function decodeUplink() { return { data: { a: new Uint8Array(3e7).length } }; }',
      [1],
      /memory/,
    ],
    ['returns a promise', 'async function decodeUplink() { return { data: { t: 1 } }; }', [1], /promise/],
    ['returns errors', 'function decodeUplink() { return { errors: ["bad port"] }; }', [1], 'bad port'],
  ])('a decoder that %s loses nothing', async (_, script, bytes, error) => {
    const { id } = await add({ script });
    expect((await send(bytes)).status).toBe(200);
    const [record] = await records();
    expect(record).toEqual({
      'uplink.bytes': Buffer.from(bytes).toString('hex'),
      'uplink.error': typeof error === 'string' ? error : expect.stringMatching(error),
    });
    const path = `/_local/v1/projects/${device.project}/functions/${id}/failures`;
    expect((await world.request('GET', path)).envelope.data).toEqual({
      payloads: 1,
      failed: 1,
      last: expect.objectContaining(record),
    });
  });

  test('keys without number lose nothing, either: the bytes are kept with the reason', async () => {
    await add({
      script:
        'function decodeUplink({ bytes }) { var data = {}; for (var i = 0; i < 250; i++) data["k" + bytes[0] + "." + i] = i; return { data }; }',
    });
    for (let i = 0; i < 17; i++) expect((await send([i])).status).toBe(200);
    const [last] = await records();
    expect(last).toEqual({ 'uplink.bytes': '10', 'uplink.error': expect.stringMatching(/4,?096/) });
  });

  test('what is not in the form is refused in words, and nothing of it is stored', async () => {
    await add({ condition: { payload: 'hex' } });
    const { status, envelope } = await send('0x12f');
    expect([status, envelope.message]).toEqual([
      400,
      'record 1: the payload must be pairs of hexadecimal digits, got "0x12f"',
    ]);
    expect(await records()).toEqual([]);
  });

  test('an Idempotency-Key stores once', async () => {
    await add();
    for (let i = 0; i < 3; i++) await send([0, 1], { 'idempotency-key': 'one' });
    expect(await records()).toHaveLength(1);
  });
});

describe('a decoder that changes', () => {
  test('decodes from the answer of its change on', async () => {
    const { id } = await add();
    await send([0, 1]);
    await change(id, { script: 'function decodeUplink({ bytes }) { return { data: { t: bytes[1] } }; }' });
    await send([0, 1]);
    await change(id, { enabled: false });
    expect((await send('{"t":7}')).status).toBe(200);
    await change(id, { enabled: true });
    await send([0, 2]);
    await world.request('DELETE', `/_local/v1/projects/${device.project}/functions/${id}`);
    expect((await send('{"t":8}')).status).toBe(200);
    expect((await records()).map(({ t }) => t)).toEqual([8, 2, 7, 1, 0.1]);
  });

  test('says why it does not decode, and then nothing is taken for bytes', async () => {
    const first = await add({ condition: null });
    expect(first.problem).toMatch(/^condition is required/);
    expect((await send('{"t":1}')).status).toBe(200);
    const second = await add({ name: 'Second', script: null });
    expect(second.problem).toMatch(/^script is required/);
    const third = await add({ name: 'Third' });
    expect(third.problem).toBeNull();
    expect((await change(first.id, { condition: { payload: 'bytes' } })).problem).toBeNull();
    const path = `/_local/v1/projects/${device.project}/functions?device_id=${device.id}`;
    const { envelope } = await world.request('GET', path);
    const problems = (envelope.data as unknown as (Made & { name: string })[]).map(({ name, problem }) => [
      name,
      problem,
    ]);
    expect(problems).toEqual([
      ['Sensor', null],
      ['Second', expect.stringMatching(/^script is required/)],
      [
        'Third',
        'Another decoder of this device decodes what it sends: "Sensor". Switch that off, or this one.',
      ],
    ]);
  });

  test('is listed with all of its project, or with those of one device', async () => {
    const body = { name: 'Other', source: 'http' };
    const made = await world.request('POST', `/v2/projects/${device.project}/devices`, { body });
    const { id: other } = made.envelope.data as unknown as Made;
    const [first, second] = [await add(), await add({}, { ...device, id: other })];
    const listed = async (query: string) => {
      const path = `/_local/v1/projects/${device.project}/functions${query}`;
      const { envelope } = await world.request('GET', path);
      return (envelope.data as unknown as Made[]).map(({ id }) => id);
    };
    const lists = ['', `?device_id=${device.id}`, `?device_id=${other}`, '?device_id=none'].map(listed);
    expect(await Promise.all(lists)).toEqual([[first.id, second.id], [first.id], [second.id], []]);
  });

  test('goes along with its device to another project', async () => {
    await add();
    const made = await world.request('POST', '/_local/v1/projects', { body: { name: 'Other' } });
    const { id: project_id } = made.envelope.data as unknown as { readonly id: string };
    const path = `/_local/v1/projects/${device.project}/devices/${device.id}/move`;
    expect((await world.request('POST', path, { body: { to: project_id } })).status).toBe(200);
    await send([0, 1]);
    expect((await records({ ...device, project: project_id }))[0]).toMatchObject({ t: 0.1 });
  });
});

describe('over MQTT', () => {
  beforeEach(async () => void (device = await world.makeDevice('mqtt')));

  test.each([4, 5] as const)(
    'version %i: the bytes are the message, a NUL at its end included',
    async (version) => {
      await add();
      const client = await signedIn(world, device, version);
      for (const [i, byte] of [1, 0, 3].entries()) {
        client.send(publishOf(device, Buffer.from([0, byte]), { qos: 1, messageId: i + 1 }));
        await client.nextOf('puback');
      }
      client.end();
      expect(await records()).toEqual(
        [3, 0, 1].map((byte) => ({ 'uplink.bytes': `000${byte}`, calls: 1, port: 1, t: byte / 10 })),
      );
    },
  );

  test('messages that come together are stored in their order, however long each takes', async () => {
    await add({
      script: `function decodeUplink({ bytes }) {
        for (var i = 0; i < (10 - bytes[0]) * 10000; i++);
        return { data: { n: bytes[0] } };
      }`,
    });
    const client = await signedIn(world, device, 5);
    for (let n = 0; n < 10; n++)
      client.send(publishOf(device, Buffer.from([n]), { qos: 1, messageId: n + 1 }));
    for (let n = 0; n < 10; n++) expect(await client.nextOf('puback')).toMatchObject({ messageId: n + 1 });
    client.end();
    expect(await world.valuesOf(device, 'n')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

test('a preview tries a script on what is stored, and changes nothing', async () => {
  const { id } = await add();
  for (const bytes of [[0, 1], [], [0xff, 1]]) await send(bytes);
  const path = `/_local/v1/projects/${device.project}/functions/${id}/preview`;
  const same = await world.request('POST', path, { body: {} });
  expect(same.envelope.data).toEqual({ payloads: 3, changed: 0, failing: 0, mended: 0, differences: [] });
  const script = `function decodeUplink({ bytes }) {
    if (bytes[0] === 0xff) throw new Error('broken');
    return { data: { t: bytes.length === 0 ? -1 : bytes[1] / 10, port: 1, calls: 1 } };
  }`;
  const before = await world.recordsOf(device);
  const tried = await world.request('POST', path, { body: { script } });
  expect(tried.envelope.data).toMatchObject({
    payloads: 3,
    changed: 2,
    failing: 1,
    mended: 1,
    differences: [
      { before: { 'uplink.error': 'TypeError: no bytes (line 5)' }, after: { t: -1 } },
      { before: { t: 6528.1 }, after: { 'uplink.error': expect.stringMatching(/broken/) } },
    ],
  });
  expect(await world.recordsOf(device)).toEqual(before);
  const wrong = await world.request('POST', path, { body: { condition: { payload: 'xml' } } });
  expect([wrong.status, wrong.envelope.message]).toEqual([400, expect.stringMatching(/condition\.payload/)]);
});
