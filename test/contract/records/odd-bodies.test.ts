import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* What is accepted is kept as it came, and what cannot be kept is refused alone, whoever asks at the same time. */

let service: RunningService;
let world: World;
beforeEach(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterEach(() => service.stop());

const KEYS = '/_local/v1/keys';
const local = () => `/_local/v1/projects/${world.project_id}`;
/** JSON as it is, since an object written here would set its prototype. */
const sendText = (method: string, path: string, bytes: string) =>
  service.request(method, path, { raw: { type: 'application/json', bytes } });
const createKey = (expires_at: string) =>
  service.request('POST', KEYS, { body: { name: 'rig', permissions: ['read'], expires_at } });

async function restart(): Promise<void> {
  const { directory } = service;
  await service.service.close();
  service = await runService({ directory });
}

test.each([
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z'],
  ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999000Z'],
  ['2255-06-05T23:47:34.740991Z', '2255-06-05T23:47:34.740991Z'],
  ['2255-06-05T23:47:35+00:00', '2255-06-05T23:47:35.000000Z'],
  ['3000-01-01T01:30:00.000001+01:30', '3000-01-01T00:00:00.000001Z'],
  ['2100-01-01T00:00:00Z', '2100-01-01T00:00:00.000000Z'],
])('a key may expire at %s, which it says now and after a restart', async (expires_at, shown) => {
  const { envelope } = await createKey(expires_at);
  expect(envelope).toMatchObject({ success: true, data: { api_key: expect.any(String) as string } });
  const { api_key: key } = envelope.data as unknown as { api_key: string };
  expect((await service.request('GET', '/v2/projects', { key })).status).toBe(200);
  for (let round = 0; round < 2; round++) {
    const { envelope: listed } = await service.request('GET', KEYS);
    expect(listed.data).toContainEqual(expect.objectContaining({ name: 'rig', expires_at: shown }));
    await restart();
  }
});

test.each(['9999-12-31T23:59:59-01:00', '10000-01-01T00:00:00Z', '+010000-01-01T00:00:00Z', 'never'])(
  'a key that is to expire at %s is refused, and expires_at is named',
  async (expires_at) => {
    const { envelope } = await createKey(expires_at);
    expect(envelope).toMatchObject({ status: 400, data: null });
    expect(envelope.message).toContain('expires_at must ');
    expect(envelope.message).toContain(expires_at);
  },
);

/** Read without trouble; too deep to be kept from some thousands of levels on. */
const deep = (levels: number) => `{"metadata":${'{"a":'.repeat(levels)}1${'}'.repeat(levels + 1)}`;

test('one body that cannot be kept does not refuse what others change at the same time', async () => {
  const device = `${local()}/devices/${world.device_id}`;
  for (let round = 0; round < 5; round++) {
    const good = Array.from({ length: 10 }, (_, n) =>
      service.request('POST', `/v2/projects/${world.project_id}/devices`, {
        body: { name: `Rig ${round}.${n}`, source: 'http' },
      }),
    );
    const bad = sendText('PATCH', device, deep(50_000));
    const expiry = createKey('9999-12-31T23:59:59-01:00');
    expect((await Promise.all(good)).map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect((await bad).envelope).toMatchObject({ success: false, status: 400, data: null });
    expect((await expiry).status).toBe(400);
  }
  await restart();
  const { envelope } = await service.request('GET', `/v2/projects/${world.project_id}/devices`);
  expect((envelope.data as unknown as unknown[]).length).toBe(51);
  expect(
    (await service.request('GET', `/v2/projects/${world.project_id}/devices/${world.device_id}`)).status,
  ).toBe(200);
});

/** Names that mean something to JavaScript, at every level. */
const ODD =
  '{"__proto__":{"a":1,"__proto__":[{"__proto__":null}]},"constructor":{"prototype":1},"toString":2,"":3,"0":[[],{}],"é":"\\ud800"}';

test('metadata, layout, range and condition keep every name, "__proto__" too, and say it after a restart', async () => {
  const odd = JSON.parse(ODD) as unknown;
  const device = `/v2/projects/${world.project_id}/devices/${world.device_id}`;
  const made = {
    device: await sendText('PATCH', `${local()}/devices/${world.device_id}`, `{"metadata":${ODD}}`),
    widget: await sendText(
      'PATCH',
      `${local()}/widgets/${world.widget_id}`,
      `{"layout":${ODD},"range":${ODD}}`,
    ),
    function: await sendText('PATCH', `${local()}/functions/${world.function_id}`, `{"condition":${ODD}}`),
    created: await sendText(
      'POST',
      `${local()}/widgets`,
      `{"title":"Odd","type":"line","sources":[],"layout":${ODD},"range":${ODD}}`,
    ),
  };
  const texts = Object.values(made).map(({ text, status }) => {
    expect(status).toBe(200);
    return text;
  });
  // A change beside it leaves it as it is.
  await service.request('PATCH', `${local()}/devices/${world.device_id}`, { body: { name: 'Renamed' } });
  for (let round = 0; round < 2; round++) {
    texts.push((await service.request('GET', device)).text);
    texts.push((await service.request('GET', `${local()}/widgets/${world.widget_id}`)).text);
    texts.push((await service.request('GET', `${local()}/functions/${world.function_id}`)).text);
    await restart();
  }
  for (const text of texts) expect(text).toContain(JSON.stringify(odd));
  expect(Object.hasOwn(Object.prototype, 'a')).toBe(false);
});

test('what is nested too deep, or too large to be kept, is refused by name', async () => {
  const device = `${local()}/devices/${world.device_id}`;
  const tooDeep = 'body must nest objects and arrays at most 16 deep';
  expect((await sendText('PATCH', device, deep(15))).status).toBe(200);
  expect((await sendText('PATCH', device, deep(16))).envelope).toMatchObject({
    status: 400,
    message: tooDeep,
  });
  for (const [levels, message] of [
    [20_000, tooDeep],
    [500_000, 'The body must hold at most 65536 values, got 500002.'],
  ] as const) {
    const body = `{"name":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect((await sendText('PATCH', device, body)).envelope).toMatchObject({ status: 400, message });
  }
  const large = { a: 'x'.repeat(65_536) };
  const fits = { a: 'x'.repeat(65_528) };
  for (const [path, name] of [
    [device, 'metadata'],
    [`${local()}/widgets/${world.widget_id}`, 'layout'],
    [`${local()}/widgets/${world.widget_id}`, 'range'],
    [`${local()}/functions/${world.function_id}`, 'condition'],
  ] as const) {
    expect((await service.request('PATCH', path, { body: { [name]: fits } })).status).toBe(200);
    const { envelope } = await service.request('PATCH', path, { body: { [name]: large } });
    expect(envelope).toMatchObject({ status: 400, data: null });
    expect(envelope.message).toContain(`${name} must be an object of names and JSON values, at most 65,536`);
  }
  await restart();
  const kept = await service.request('GET', `/v2/projects/${world.project_id}/devices/${world.device_id}`);
  expect(kept.envelope.data).toMatchObject({ metadata: fits });
});

test.each([
  ['application/x-ndjson', (text: string) => `{"a":"x"}\n{"a":"${text}"}\n`],
  ['text/csv', (text: string) => `timestamp,a\n2026-01-01T00:00:00Z,x\n2026-01-01T00:00:01Z,${text}\n`],
])('a text of a file may be of 65,536 characters, not more: %s', async (type, file) => {
  const path = `${local()}/devices/${world.device_id}/records`;
  const send = (text: string) => service.request('POST', path, { raw: { type, bytes: file(text) } });
  expect((await send('x'.repeat(65_536))).envelope).toMatchObject({ status: 200, data: { stored: 2 } });
  const { envelope } = await send('x'.repeat(65_537));
  expect(envelope).toMatchObject({ status: 400, data: null });
  expect(envelope.message).toMatch(
    /^line [23]: the text of "a" must be at most 65,536 characters, got "x+…? with 65537\. Nothing was imported\.$/,
  );
});
