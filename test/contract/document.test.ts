import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEVER_SEEN } from '#shared/values/time.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { createWorld, RECORDS, type World } from './world.ts';

/* The ten operations under /v2, field by field (docs/api.md, "Envelope" and "Fields"). */

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const RECORD_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;

let service: RunningService;
let world: World;
let project: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  project = `/v2/projects/${world.project_id}`;
});
afterAll(() => service.stop());

const envelope = async (method: string, path: string, body?: unknown) => {
  const answer = await service.request(method, path, { body });
  expect(answer.status).toBe(answer.envelope.status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return answer.envelope as unknown as { data: never } & Record<string, unknown>;
};

const success = (action: string, message: string, status = 200) => ({
  success: true,
  action,
  status,
  message,
});

describe('projects', () => {
  test('are listed newest first', async () => {
    expect(await envelope('GET', '/v2/projects')).toEqual({
      ...success('get projects', 'Projects retrieved successfully.'),
      data: ['Roof', 'Boiler room'].map((name) => ({
        id: expect.stringMatching(UUID_V4),
        name,
        description: '',
        created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/),
      })),
    });
  });

  test('are fetched one by one', async () => {
    expect(await envelope('GET', project)).toEqual({
      ...success('get project', 'Project retrieved successfully.'),
      data: expect.objectContaining({ id: world.project_id, name: 'Boiler room' }),
    });
  });

  test.each(['no-such-project', '%20', 'constructor', '__proto__', '..%2F..', 'ü'])(
    '"%s" is not found',
    async (id) => {
      expect(await envelope('GET', `/v2/projects/${id}`)).toEqual({
        success: false,
        action: 'get project',
        status: 404,
        message: 'Project not found.',
        data: null,
      });
    },
  );
});

describe('devices', () => {
  test('are created with defaults, a token and no sight of their source', async () => {
    const created = await envelope('POST', `${project}/devices`, {
      name: 'Pump',
      source: 'mqtt',
      colour: 'red',
    });
    expect(created).toEqual({
      ...success('create device', 'Device created successfully.', 201),
      data: {
        id: expect.stringMatching(UUID_V4),
        name: 'Pump',
        description: '',
        brand: 'Custom',
        model: 'Custom',
        avatar: `${service.service.base_url}/static/devices/default.svg`,
        last_seen: NEVER_SEEN,
        tags: [],
        metadata: {
          device_id: (created.data as { id: string }).id,
          device_token: expect.stringMatching(/^[0-9A-Za-z]{40}$/),
        },
      },
    });
    await envelope('DELETE', `${project}/devices/${(created.data as { id: string }).id}`);
  });

  test('have an avatar that the service itself serves', async () => {
    const avatar = await fetch(`${service.service.base_url}/static/devices/default.svg`);
    expect(avatar.status).toBe(200);
    expect(avatar.headers.get('content-type')).toContain('image/svg+xml');
    expect(await avatar.text()).toContain('<svg');
  });

  test('are listed latest seen first, then newest created, without tags', async () => {
    const second = await envelope('POST', `${project}/devices`, { name: 'Second', source: 'http' });
    const third = await envelope('POST', `${project}/devices`, { name: 'Third', source: 'http' });
    const { data } = await envelope('GET', `${project}/devices`);
    expect((data as { name: string }[]).map(({ name }) => name)).toEqual(['ESP32', 'Third', 'Second']);
    for (const item of data as object[])
      expect(Object.keys(item)).toEqual([
        'id',
        'name',
        'description',
        'brand',
        'model',
        'avatar',
        'last_seen',
      ]);
    const token = (second.data as { metadata: { device_token: string } }).metadata.device_token;
    await service.request('POST', '/integrations/http', { key: token, body: { a: 1 } });
    const after = (await envelope('GET', `${project}/devices`)).data as { name: string; last_seen: string }[];
    expect(after.map(({ name }) => name)).toEqual(['Second', 'ESP32', 'Third']);
    expect(after[0]?.last_seen).toMatch(RECORD_TIME);
    for (const { data: made } of [second, third])
      await envelope('DELETE', `${project}/devices/${(made as { id: string }).id}`);
  });

  test('are fetched with tags, credentials and metadata', async () => {
    expect(await envelope('GET', `${project}/devices/${world.device_id}`)).toEqual({
      ...success('get device', 'Device retrieved successfully.'),
      data: {
        id: world.device_id,
        name: 'ESP32',
        description: '',
        brand: 'Custom',
        model: 'Custom',
        avatar: expect.any(String),
        last_seen: expect.stringMatching(RECORD_TIME),
        tags: [],
        device_credentials: { device_id: world.device_id, device_token: world.device_token },
        metadata: {},
      },
    });
  });

  test('of another project are not found', async () => {
    const path = `/v2/projects/${world.other_project_id}/devices/${world.device_id}`;
    expect(await envelope('GET', path)).toMatchObject({
      status: 404,
      message: 'Device not found.',
      data: null,
    });
  });

  test.each([
    [{ source: 'http' }, 'name is required: it must be text of 1 to 100 characters'],
    [{ name: '', source: 'http' }, 'name must be text of 1 to 100 characters, got ""'],
    [{ name: 'x'.repeat(101), source: 'http' }, 'name must be text of 1 to 100 characters, got'],
    [{ name: 7, source: 'http' }, 'name must be text of 1 to 100 characters, got 7'],
    [{ name: 'x' }, 'source is required: it must be "http" or "mqtt"'],
    [{ name: 'x', source: 'HTTP' }, 'source must be "http" or "mqtt", got "HTTP"'],
    [
      { name: 'x', source: 'http', tags: 'a' },
      'tags must be an array of at most 50 tags of at most 64 characters, got "a"',
    ],
    [{ name: 'x', source: 'http', tags: ['x'.repeat(65)] }, 'tags.0 must be an array of at most 50 tags'],
    [
      { name: 'x', source: 'http', tags: Array.from({ length: 51 }, String) },
      'tags must be an array of at most 50',
    ],
    [
      { name: 'x', source: 'http', description: 'x'.repeat(501) },
      'description must be text of at most 500 characters',
    ],
    [[], 'body must be'],
  ])('are not created from %j', async (body, message) => {
    const answer = await envelope('POST', `${project}/devices`, body);
    expect(answer).toMatchObject({ success: false, action: 'create device', status: 400, data: null });
    expect(answer['message']).toContain(message);
  });

  test.each(['', '{', 'null', '"text"', '\u0000'])('are not created from the body %j', async (bytes) => {
    const answer = await service.request('POST', `${project}/devices`, {
      raw: { type: 'application/json', bytes },
    });
    expect(answer.status).toBe(400);
    expect(answer.envelope).toMatchObject({ success: false, status: 400, data: null });
  });
});

describe('data', () => {
  test('is fetched newest first with six fraction digits', async () => {
    const answer = await service.request(
      'GET',
      `${project}/devices/${world.device_id}/data?page=1&limit=10&range=all`,
    );
    expect(answer.envelope).toEqual({
      ...success('retrieve data', 'Device data fetched successfully.'),
      data: RECORDS.toReversed(),
    });
    expect(answer.headers.get('x-total-count')).toBe('3');
  });

  test('names its keys in order', async () => {
    expect(await envelope('GET', `${project}/devices/${world.device_id}/data/keys`)).toEqual({
      ...success('get data keys', 'Device data keys fetched successfully.'),
      data: ['state', 'temperature'],
    });
  });

  test('is purged, and the device was still seen', async () => {
    const path = `${project}/devices/${world.device_id}`;
    const before = (await envelope('GET', path)).data as { last_seen: string };
    expect(await envelope('DELETE', `${path}/data`)).toEqual({
      ...success('purge data', 'Data deleted successfully.'),
      data: { deleted: { records: 3 } },
    });
    expect((await envelope('GET', `${path}/data?page=1&limit=10&range=all`)).data).toEqual([]);
    expect((await envelope('GET', `${path}/data/keys`)).data).toEqual([]);
    expect(((await envelope('GET', path)).data as { last_seen: string }).last_seen).toBe(before.last_seen);
    expect((await envelope('DELETE', `${path}/data`)).data).toEqual({ deleted: { records: 0 } });
  });
});

describe('deleting', () => {
  test('a device, then its project, says what went', async () => {
    expect(await envelope('DELETE', `${project}/devices/${world.device_id}`)).toEqual({
      ...success('delete device', 'Device deleted successfully.'),
      data: { deleted: { devices: 1, records: 0, functions: 1, widgets: 1 } },
    });
    expect(await envelope('DELETE', project)).toEqual({
      ...success('delete project', 'Project deleted successfully.'),
      // A rule by tag is of the project.
      data: { deleted: { devices: 0, records: 0, functions: 1, widgets: 0 } },
    });
    expect(await envelope('DELETE', project)).toMatchObject({ status: 404, message: 'Project not found.' });
  });

  test('a project counts the records of all its devices, and not what was deleted before and is kept', async () => {
    const { id } = (await envelope('POST', '/_local/v1/projects', { name: 'Cellar' })).data as { id: string };
    let last = '';
    for (const records of [1, 3, 2, 3]) {
      const made = await envelope('POST', `/v2/projects/${id}/devices`, { name: 'ESP32', source: 'http' });
      const { metadata } = made.data as { metadata: { device_id: string; device_token: string } };
      last = metadata.device_id;
      const sent = { key: metadata.device_token, body: RECORDS.slice(0, records) };
      expect((await service.request('POST', '/integrations/http', sent)).status).toBe(200);
    }
    const local = `/_local/v1/projects/${id}`;
    expect(await envelope('DELETE', `${local}/devices/${last}`)).toMatchObject({ success: true });
    const impact = (await envelope('GET', `${local}/impact`)).data as { deleted: unknown };
    const { data } = await envelope('DELETE', `/v2/projects/${id}`);
    expect(data).toEqual({ deleted: impact.deleted });
    expect(data).toEqual({
      deleted: { devices: 3, records: 6, functions: 0, widgets: 0 },
    });
  });
});
