import { afterEach, beforeEach, expect, test } from 'vitest';
import { NEVER_SEEN } from '#shared/values/time.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

/* `last_seen` is when the device itself last stored something: an import is no sign of life (docs/api.md, "Fields"). */

let service: RunningService;
beforeEach(async () => {
  service = await runService();
});
afterEach(() => service.stop());

type Data = Record<string, string> & { metadata: Record<string, string> };

async function create(path: string, body: unknown): Promise<Data> {
  const { envelope } = await service.request('POST', path, { body });
  expect(envelope.success).toBe(true);
  return envelope.data as unknown as Data;
}

async function restart(): Promise<void> {
  const { directory } = service;
  await service.service.close();
  service = await runService({ directory });
}

test('an import leaves a device unseen, what it sends itself does not; a purge and a restart keep it', async () => {
  const { id: project = '' } = await create('/_local/v1/projects', { name: 'Lab' });
  const devices = `/v2/projects/${project}/devices`;
  const make = async (name: string) => {
    const { id = '', metadata } = await create(devices, { name, source: 'http' });
    return {
      id,
      token: metadata['device_token'] ?? '',
      local: `/_local/v1/projects/${project}/devices/${id}`,
    };
  };
  const alive = await make('Sends');
  const recorded = await make('Recorded');
  const importInto = async ({ local }: typeof alive) => {
    const raw = { type: 'application/x-ndjson', bytes: '{"timestamp":0,"a":1}\n{"timestamp":1,"a":2}\n' };
    expect((await service.request('POST', `${local}/records`, { raw })).envelope).toMatchObject({
      data: { stored: 2 },
    });
  };
  /** The same by all ways of asking. */
  const lastSeen = async ({ id, local }: typeof alive) => {
    const answers = await Promise.all([`${devices}/${id}`, `${local}/summary`].map((path) => get(path)));
    const listed = (await list()).find((item) => item['id'] === id);
    const all = [...answers, listed].map((answer) => answer?.['last_seen']);
    expect(new Set(all).size).toBe(1);
    return all[0] ?? '';
  };
  const get = async (path: string) => (await service.request('GET', path)).envelope.data as unknown as Data;
  const list = async () => (await service.request('GET', devices)).envelope.data as unknown as Data[];
  const names = async () => (await list()).map(({ name }) => name);

  const send = await service.request('POST', '/integrations/http', { key: alive.token, body: { a: 1 } });
  expect(send.status).toBe(200);
  const sent = await lastSeen(alive);
  expect(Math.abs(Date.parse(sent) - Date.now())).toBeLessThan(60_000);
  await importInto(recorded);
  await importInto(alive);

  const expectUnchanged = async () => {
    expect(await lastSeen(recorded)).toBe(NEVER_SEEN);
    expect(await lastSeen(alive)).toBe(sent);
    expect(await names()).toEqual(['Sends', 'Recorded']);
  };
  await expectUnchanged();
  await restart();
  await expectUnchanged();
  for (const { id } of [alive, recorded])
    expect((await service.request('DELETE', `${devices}/${id}/data`)).status).toBe(200);
  await importInto(recorded);
  await expectUnchanged();
  await restart();
  await expectUnchanged();
  await service.request('POST', '/integrations/http', { key: recorded.token, body: { a: 1 } });
  expect((await lastSeen(recorded)) > sent).toBe(true);
  expect(await names()).toEqual(['Recorded', 'Sends']);
});
