import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/*
 * A key is what its sender wrote, escaped or not, whatever other senders wrote before (shared/values/json.ts says what could
 * come between). Answers are compared as text, since reading them here could be misled as well.
 */

/** A key as JSON, as a small device may write it, and as answers write it. */
const WRITTEN = [
  ['"\\u00b5"', '"µ"'],
  ['"\\u0042"', '"B"'],
  ['"\\n"', '"\\n"'],
  ['"\\""', '"\\""'],
  ['"\\u00b5m"', '"µm"'],
] as const;

/** What misleads: objects whose next key begins as an escape is written. */
const misleading = (start: string) => ['"\\\\"', '"\\\\u"'].map((key) => `{${start}${key}:1}`);

describe.each([
  ['in its thread', null],
  ['in a worker thread', WORKER_SCRIPT],
])('a service that reads files %s', (_, logWorker) => {
  let service: RunningService;
  let world: World;
  let data: string;
  let local: string;

  beforeAll(async () => {
    service = await runService({ workerScript: logWorker });
    world = await createWorld(service);
    data = `/v2/projects/${world.project_id}/devices/${world.device_id}/data`;
    local = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  });
  afterAll(() => service.stop());

  /** Sends records to `path` one way, each text a record; resolves with what is then stored, oldest first. */
  async function storedBy(path: string, key: string, type: string, texts: readonly string[]) {
    await service.request('DELETE', data);
    const bytes = type === 'application/json' ? `[${texts.join(',')}]` : texts.join('\n');
    const answer = await service.request('POST', path, { key, raw: { type, bytes } });
    expect(answer.text).toContain(`"stored":${texts.length}`);
    return (await service.request('GET', `${local}/records?format=ndjson`)).text.trim().split('\n');
  }

  describe.each([
    ['a body', '/integrations/http', 'application/json'],
    ['lines', '/integrations/http', 'application/x-ndjson'],
    ['an import', 'records', 'application/x-ndjson'],
  ])('records in %s', (__, door, type) => {
    test.each(WRITTEN)('%s', async (written, answered) => {
      const path = door === 'records' ? `${local}/records` : door;
      const key = door === 'records' ? service.service.api_key : world.device_token;
      const start = '"timestamp":"2026-01-01T00:00:00Z","q":1,';
      const stored = await storedBy(path, key, type, [...misleading(start), `{${start}${written}:21.5}`]);
      expect(stored.at(-1)).toContain(`${answered}:21.5`);
      const keys = (await service.request('GET', `${data}/keys`)).text;
      expect(keys).toContain(answered);
    });
  });

  test('the other devices of a service are not told by the keys of one', async () => {
    const start = '"timestamp":0,"other":1,';
    for (const text of misleading(start))
      await storedBy('/integrations/http', world.device_token, 'application/json', [text]);
    const created = await service.request('POST', `/v2/projects/${world.other_project_id}/devices`, {
      body: { name: 'Roof', source: 'http' },
    });
    const { id, metadata } = created.envelope.data as unknown as {
      id: string;
      metadata: { device_token: string };
    };
    await service.request('POST', '/integrations/http', {
      key: metadata.device_token,
      raw: { type: 'application/json', bytes: `{${start}"\\u00b0":4}` },
    });
    const page = `/v2/projects/${world.other_project_id}/devices/${id}/data?page=1&limit=1&range=all`;
    expect((await service.request('GET', page)).text).toContain('"°":4');
  });

  test('a page as a window reads it, newest first', async () => {
    await storedBy('/integrations/http', world.device_token, 'application/json', [
      '{"timestamp":1000,"\\n":2}',
      '{"timestamp":2000,"\\\\":1}',
    ]);
    const page = await service.bridge.call('data.list', {
      project_id: world.project_id,
      device_id: world.device_id,
      page: 1,
      limit: 10,
      range: 'all',
    });
    expect(page.data?.map((record) => Object.keys(record))).toEqual([
      ['timestamp', '\\'],
      ['timestamp', '\n'],
    ]);
  });
});

test('the metadata of devices, over HTTP and after a restart', async () => {
  const first = await runService();
  const world = await createWorld(first);
  const path = `projects/${world.project_id}/devices/${world.device_id}`;
  const bodies = [...misleading('"place":1,'), '{"place":1,"\\u00b5":2,"\\n":3}'];
  for (const metadata of bodies)
    await first.request('PATCH', `/_local/v1/${path}`, {
      raw: { type: 'application/json', bytes: `{"metadata":${metadata}}` },
    });
  const kept = '"metadata":{"place":1,"µ":2,"\\n":3}';
  const { directory } = first;
  expect((await first.request('GET', `/v2/${path}`)).text).toContain(kept);
  await first.service.close();

  for (const text of misleading('"place":1,"µ":2,')) JSON.parse(text);
  const second = await runService({ directory });
  expect((await second.request('GET', `/v2/${path}`)).text).toContain(kept);
  await second.stop();
});
