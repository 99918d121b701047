// node journey.ts base_url api_key: the main journey by a client that was generated from the OpenAPI document. It is
// copied beside the generated schema.d.ts and checked there; nothing in it may need a cast.
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.d.ts';

const [baseUrl = '', apiKey = ''] = process.argv.slice(2);
const clientFor = (token: string) =>
  createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const client = clientFor(apiKey);

function must<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`${what} is missing`);
  return value;
}

const project: components['schemas']['Project'] = must(
  (await client.POST('/_local/v1/projects', { body: { name: 'Boiler room' } })).data,
  'project',
).data;
const project_id = project.id;
const created = await client.POST('/v2/projects/{project_id}/devices', {
  params: { path: { project_id } },
  body: { name: 'Pump', source: 'http' },
});
const { device_id, device_token } = must(created.data, 'device').data.metadata;
const path = { project_id, device_id };

const stored = await clientFor(device_token).POST('/integrations/http', {
  body: Array.from({ length: 25 }, (_, n) => ({ timestamp: n * 1000, n, state: `text ${n}` })),
});

const readPage = (page: number) =>
  client.GET('/v2/projects/{project_id}/devices/{device_id}/data', {
    params: { path, query: { page, limit: 10, range: 'all', keys: 'n' } },
  });

const numbers: unknown[] = [];
let total: string | null = null;
for (let page: number | null = 1; page !== null;) {
  const { data, response }: Awaited<ReturnType<typeof readPage>> = await readPage(page);
  numbers.push(...must(data, 'page').data.map((record) => record['n']));
  total = response.headers.get('x-total-count');
  const next: string | undefined = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  page = next === undefined ? null : Number(new URL(next, baseUrl).searchParams.get('page'));
}

const keys = await client.GET('/v2/projects/{project_id}/devices/{device_id}/data/keys', {
  params: { path },
});
const series = await client.GET('/_local/v1/projects/{project_id}/devices/{device_id}/series', {
  params: { path, query: { width: 5 } },
});
const exported = await client.GET('/_local/v1/projects/{project_id}/devices/{device_id}/records', {
  params: { path, query: { format: 'csv' } },
  parseAs: 'text',
});
const purged = await client.DELETE('/v2/projects/{project_id}/devices/{device_id}/data', {
  params: { path },
});
const deleted = await client.DELETE('/v2/projects/{project_id}', { params: { path: { project_id } } });

const gone = await client.GET('/v2/projects/{project_id}', { params: { path: { project_id } } });
/** `data` of an error is there, and null. */
const nothing: components['responses']['NotFound']['content']['application/json']['data'] = null;

console.log(
  JSON.stringify({
    stored: stored.data?.data.stored,
    numbers,
    total,
    keys: keys.data?.data,
    series: series.data?.data.keys.map(({ key, counts }) => ({ key, counts })),
    exportedLines: exported.data?.trimEnd().split('\r\n').length,
    purged: purged.data?.data.deleted,
    deleted: deleted.data?.data.deleted,
    gone: [gone.error?.success, gone.error?.message, nothing],
  }),
);
