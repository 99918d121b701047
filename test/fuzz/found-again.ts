import { expect } from 'vitest';
import { parseJson } from '#shared/values/json.ts';
import type { World } from '../contract/world.ts';
import type { Operation } from './requests.ts';
import type { Target } from './target.ts';

type Row = Record<string, unknown>;

/** Where what an operation made or changed can be read again: one thing, or a list with it. */
const READ: Readonly<Record<string, (world: World, id: string) => string>> = {
  'projects.create': (_, id) => `/v2/projects/${id}`,
  'projects.update': (_, id) => `/v2/projects/${id}`,
  'devices.create': ({ project_id }, id) => `/v2/projects/${project_id}/devices/${id}`,
  'devices.update': ({ project_id }, id) => `/v2/projects/${project_id}/devices/${id}`,
  'functions.create': ({ project_id }, id) => `/_local/v1/projects/${project_id}/functions/${id}`,
  'functions.update': ({ project_id }, id) => `/_local/v1/projects/${project_id}/functions/${id}`,
  'widgets.create': ({ project_id }, id) => `/_local/v1/projects/${project_id}/widgets/${id}`,
  'widgets.update': ({ project_id }, id) => `/_local/v1/projects/${project_id}/widgets/${id}`,
  'notes.create': ({ project_id, device_id }) =>
    `/_local/v1/projects/${project_id}/devices/${device_id}/notes`,
  'notes.update': ({ project_id, device_id }) =>
    `/_local/v1/projects/${project_id}/devices/${device_id}/notes`,
  'views.create': () => '/_local/v1/views',
  'views.update': () => '/_local/v1/views',
  'accounts.create': () => '/_local/v1/accounts',
  'keys.create': () => '/_local/v1/keys',
};

/** What is kept and never told, or told in another form. */
const UNTOLD = new Set(['source', 'expires_at', 'permissions', 'start', 'end']);

/** Fields of the body that are found again, each equal to what was sent, by whoever reads next. */
export async function expectFound(
  target: Target,
  { id: operation }: Operation,
  world: World,
  body: unknown,
  data: unknown,
): Promise<void> {
  const read = READ[operation];
  if (read === undefined) return;
  const { id } = data as { id: string };
  const path = read(world, id);
  const received = await target.send({ method: 'GET', path });
  const { data: found } = parseJson(received.text) as { data: Row | Row[] };
  const row = Array.isArray(found) ? found.find((one) => one['id'] === id) : found;
  expect(row, path).toBeDefined();
  // As JSON carries it: -0 is 0.
  for (const [name, value] of Object.entries(parseJson(JSON.stringify(body)) as Row))
    if (!UNTOLD.has(name) && value !== null && row !== undefined && name in row)
      expect([operation, name, row[name]]).toEqual([operation, name, value]);
  if (operation === 'keys.create') await expectKey(target, body as Row, data as { api_key: string });
}

/** A new key is good for what it was made for. */
async function expectKey(
  target: Target,
  body: Row,
  { api_key }: { readonly api_key: string },
): Promise<void> {
  const { status } = await target.send({ method: 'GET', path: '/v2/projects', key: api_key });
  const mayRead = (body['permissions'] as string[]).includes('read');
  expect([status, body]).toEqual([mayRead ? 200 : 403, body]);
}
