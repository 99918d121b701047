import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mqttWorld, type Device, type MqttWorld } from '../mqtt/world.ts';

/* Decoding what is stored again (docs/functions.md), under a clock that stands: times of receipt tell nothing apart. */

let world: MqttWorld;
let device: Device;
let functionPath: string;

beforeAll(async () => void (world = await mqttWorld({ clock: { mode: 'frozen' } })));
afterAll(() => world.stop());
beforeEach(async () => {
  device = await world.makeDevice('http');
  const made = await ask<{ id: string }>('POST', `projects/${device.project}/functions`, {
    device_id: device.id,
    name: 'Sensor',
    type: 'decoder',
    script: scriptOf('bytes[0]'),
    condition: { payload: 'json', at: 'data', encoding: 'hex' },
  });
  functionPath = `projects/${device.project}/functions/${made.id}`;
});

const scriptOf = (value: string) =>
  `function decodeUplink({ bytes }) { if (bytes[0] === 9) throw new Error('nine'); return { data: { t: ${value} } }; }`;

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const { status, envelope } = await world.request(method, `/_local/v1/${path}`, { body });
  expect([status, envelope.message]).toEqual([200, envelope.message]);
  return envelope.data as T;
}

async function send(...records: readonly object[]) {
  const { status } = await world.request('POST', '/integrations/http', { key: device.token, body: records });
  expect(status).toBe(200);
}

const at = (second: number, data: string) => ({
  timestamp: `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`,
  data,
});

const exported = async () => {
  const path = `/_local/v1/projects/${device.project}/devices/${device.id}/records?format=ndjson`;
  return (await world.request('GET', path)).text;
};

interface Decoded {
  readonly changed: number;
  readonly undo: { readonly id: string } | null;
}

const decodeBy = async (script: string, range: object = {}) => {
  await ask('PATCH', functionPath, { script });
  return ask<Decoded>('POST', `${functionPath}/decode`, range);
};

const values = async () => (await world.valuesOf(device, 't')).filter((value) => value !== undefined);
const undoable = async () =>
  (await ask<{ id: string; kind: string; device_id: string }[]>('GET', 'undo')).filter(
    ({ kind, device_id }) => kind === 'decode' && device_id === device.id,
  );

describe('records that are decoded again', () => {
  test('have their new values, all at once, and are undone and done again', async () => {
    await send(at(1, '0100'), at(1, '0201'), at(2, '09'), { timestamp: '2026-01-01T00:00:03Z', plain: 7 });
    const before = await exported();
    const { undo, ...counts } = await decodeBy(scriptOf('bytes[0] * 10'));
    expect(counts).toEqual({ payloads: 3, changed: 2, failing: 0, mended: 0 });
    expect(undo).toEqual({ id: expect.any(String), until: expect.any(String) });
    expect(await values()).toEqual([10, 20]);
    const after = await exported();
    expect(after).not.toBe(before);

    // Whatever the decoder says by then, each answer names what leads back, and that alone is kept.
    await ask('PATCH', functionPath, { script: scriptOf('-1') });
    let id = undo?.id;
    for (const then of [before, after, before, after]) {
      const answer = await ask<Decoded>('POST', `undo/${id}`);
      expect(await exported()).toBe(then);
      expect(await undoable()).toMatchObject([{ id: answer.undo?.id, until: expect.any(String) }]);
      id = answer.undo?.id;
    }
  });

  test('what came since stays when that is undone, equal times and all', async () => {
    await send(at(1, '01'), at(2, '02'));
    const { undo } = await decodeBy(scriptOf('bytes[0] * 10'));
    await send(at(1, '03'), at(2, '02'), at(3, '04'));
    expect(await values()).toEqual([10, 30, 20, 20, 40]);
    await ask('POST', `undo/${undo?.id}`);
    expect(await values()).toEqual([1, 30, 2, 20, 40]);
    const [again] = await undoable();
    await ask('POST', `undo/${again?.id}`);
    expect(await values()).toEqual([10, 30, 20, 20, 40]);
  });

  test('of a range alone', async () => {
    await send(at(1, '01'), at(2, '02'), at(3, '03'));
    const second = '2026-01-01T00:00:02Z';
    await decodeBy(scriptOf('bytes[0] * 10'), { start: second, end: second });
    expect(await values()).toEqual([1, 20, 3]);
  });

  test('that are the same are left alone, and there is nothing to undo', async () => {
    await send(at(1, '01'));
    expect(await decodeBy(scriptOf('bytes[0]'))).toEqual({
      payloads: 1,
      changed: 0,
      failing: 0,
      mended: 0,
      undo: null,
    });
    expect(await undoable()).toEqual([]);
  });

  test('of a device without any', async () => {
    expect(await decodeBy(scriptOf('bytes[0]'))).toMatchObject({ payloads: 0, undo: null });
  });

  test('are undone for good by discarding, and go with their device', async () => {
    await send(at(1, '01'));
    const { undo } = await decodeBy(scriptOf('bytes[0] * 10'));
    await ask('DELETE', `undo/${undo?.id}`);
    expect(await values()).toEqual([10]);
    await decodeBy(scriptOf('bytes[0]'));
    const gone = await ask<{ undo: { id: string } }>(
      'DELETE',
      `projects/${device.project}/devices/${device.id}`,
    );
    const [kept] = await undoable();
    const refused = await world.request('POST', `/_local/v1/undo/${kept?.id}`);
    expect([refused.status, refused.envelope.message]).toEqual([400, expect.stringMatching(/deleted, too/)]);
    expect(await ask('POST', `undo/${gone.undo.id}`)).toMatchObject({ undo: null });
    await ask('POST', `undo/${kept?.id}`);
    expect(await values()).toEqual([10]);
  });

  test('are what a decoder of now makes of them: an error is mended, and another begins', async () => {
    await send(at(1, '09'), at(2, '08'));
    const script =
      'function decodeUplink({ bytes }) { return bytes[0] === 8 ? { errors: ["eight"] } : { data: { t: 9 } }; }';
    expect(await decodeBy(script)).toMatchObject({ payloads: 2, changed: 2, failing: 1, mended: 1 });
    expect(await ask('GET', `${functionPath}/failures`)).toMatchObject({
      payloads: 2,
      failed: 1,
      last: { 'uplink.bytes': '08', 'uplink.error': 'eight' },
    });
  });

  test('need a decoder with all that it takes', async () => {
    await ask('PATCH', functionPath, { condition: null });
    const { status, envelope } = await world.request('POST', `/_local/v1/${functionPath}/decode`, {
      body: {},
    });
    expect([status, envelope.message]).toEqual([400, expect.stringMatching(/^condition is required/)]);
  });
});
