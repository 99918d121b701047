import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/local-api.md, "Hand-over": what is asked for wrongly, and who may ask. */

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterAll(() => service.stop());

const ask = (body: object, key?: string) =>
  service.request('POST', '/_local/v1/handover', { body, ...(key !== undefined && { key }) });

test.each([
  [{}, 'devices is required: it must be a list of 1 to 100 ids of devices'],
  [{ devices: [] }, 'devices must be a list of 1 to 100 ids of devices'],
  [{ devices: ['a', 'a'] }, 'each once'],
  [{ devices: ['a'], format: 'xls' }, 'format must be'],
  [
    { devices: ['a'], start: '2026-03-03T00:00:00Z', end: '2026-03-02T00:00:00Z' },
    'start must not be after end',
  ],
])('%j is refused, and the field is named', async (body, message) => {
  const { status, envelope } = await ask(body);
  expect(status).toBe(400);
  expect(envelope.message).toContain(message);
});

test('a device that is not there is not found, whatever else is', async () => {
  expect((await ask({ devices: [world.device_id, 'none'] })).status).toBe(404);
});

test('only who administers the installation may hand over, or ask for the key', async () => {
  for (const key of [world.strangers_key, await world.issueKey(['admin'], [world.project_id])]) {
    expect((await ask({ devices: [world.device_id] }, key)).status).toBe(403);
    expect((await service.request('GET', '/_local/v1/handover/key', { key })).status).toBe(403);
  }
});

test('askers at once get one key, and it stays', async () => {
  const keys = await Promise.all(
    Array.from({ length: 8 }, () => dataOf(service, 'GET', '/_local/v1/handover/key')),
  );
  expect(new Set(keys.map(({ fingerprint }) => fingerprint)).size).toBe(1);
});

test('the audit trail tells who handed over what', async () => {
  await ask({ devices: [world.device_id] });
  const { entries } = (await dataOf(
    service,
    'GET',
    '/_local/v1/audit?operation=handover.get&limit=2',
  )) as unknown as {
    entries: readonly { outcome: string; facts: unknown }[];
  };
  expect(entries).toMatchObject([
    { outcome: 'done' },
    { outcome: 'begun', facts: { devices: [world.device_id] } },
  ]);
});

test('what an entry says of other devices is not handed over with this one', async () => {
  const path = `/_local/v1/projects/${world.project_id}/devices`;
  const made = (await dataOf(service, 'POST', path, {
    devices: [{ name: 'Mine' }, { name: 'Somebody else’s secret site' }],
  })) as unknown as { readonly devices?: readonly { id: string }[] };
  const list = (await dataOf(
    service,
    'GET',
    `/_local/v1/audit?operation=devices.create-many&limit=1`,
  )) as unknown as {
    entries: readonly { devices: readonly { id: string; name: string }[] }[];
  };
  const mine = list.entries[0]?.devices.find(({ name }) => name === 'Mine');
  expect(made).toBeDefined();
  expect(mine).toBeDefined();
  let lines = '';
  for await (const line of await partOf(mine?.id ?? '')) lines += line;
  expect(lines).toContain('"other_devices":1');
  expect(lines).not.toContain('secret site');
});

async function partOf(device: string) {
  const { trailPart } = await import('#core/api/handover/trail-part.ts');
  const { text } = await service.request('GET', '/_local/v1/audit/export');
  async function* lines() {
    for (const line of text.trim().split('\n')) yield { text: line, place: '' };
  }
  return trailPart({ lines }, new Set([device]));
}
