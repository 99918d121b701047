import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, openWindow, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';
import { entriesOf, entriesSince, lastOf, trailOf, verifiedBy } from './told.ts';

/* docs/local-api.md, "Audit trail". */

let service: RunningService;
let world: World;

beforeEach(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterEach(() => service.stop());

const local = () => `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;

test('a change is told with who made it, of what, and what was before and after', async () => {
  const key = await world.issueKey(['admin', 'read']);
  const before = await lastOf(service);
  const answer = await service.request('PATCH', local(), { key, body: { name: 'Pump', tags: ['cellar'] } });
  expect(answer.status).toBe(200);
  const [entry, ...others] = await entriesSince(service, before);
  expect(others).toEqual([]);
  expect(entry).toMatchObject({
    n: before + 1,
    by: { kind: 'key', name: 'made for a test', id: expect.any(String) },
    operation: 'devices.update',
    outcome: 'done',
    projects: [{ id: world.project_id, name: 'Boiler room' }],
    devices: [{ id: world.device_id, name: 'Pump' }],
    changes: [
      {
        table: 'devices',
        id: world.device_id,
        before: { name: 'ESP32', tags: [] },
        after: { name: 'Pump', tags: ['cellar'] },
      },
    ],
  });
  const sinceThen = Date.now() - Date.parse(entry?.time ?? '');
  expect(Math.abs(sinceThen)).toBeLessThan(600_000);
});

test('a change at a window is the user’s, and one that changes nothing is not told', async () => {
  const before = await lastOf(service);
  const window = openWindow(service.service);
  const { project_id, device_id } = world;
  for (const description of ['by the stairs', 'by the stairs'])
    await window.bridge.call('devices.update', { project_id, device_id, description });
  window.close();
  const entries = await entriesSince(service, before);
  expect(entries.map(({ by, operation }) => [by.kind, operation])).toEqual([['window', 'devices.update']]);
  expect(entries[0]?.by.name).not.toBe('');
});

test('a token that is renewed is told as changed, and what it is is not', async () => {
  const before = await lastOf(service);
  const renewed = await dataOf(service, 'POST', `${local()}/token`);
  const [entry] = await entriesSince(service, before);
  expect(entry?.changes[0]).toMatchObject({
    before: { token_hash: '(redacted)' },
    after: { token_hash: '(redacted)' },
  });
  expect(await trailOf(service)).not.toContain(String(renewed['device_token']));
});

test('what devices store is not told; a file that somebody imports is, with what came of it', async () => {
  const before = await lastOf(service);
  await service.request('POST', '/integrations/http', { key: world.device_token, body: RECORDS });
  expect(await lastOf(service)).toBe(before);
  const bytes = '{"timestamp":"2026-03-03T20:30:21Z","temperature":3}\n';
  const raw = { type: 'application/x-ndjson', bytes };
  const imported = await service.request('POST', `${local()}/records?format=ndjson`, { raw });
  expect(imported.status).toBe(200);
  expect(await entriesSince(service, before)).toMatchObject([
    { operation: 'records.import', outcome: 'begun', facts: { format: 'ndjson' } },
    { operation: 'records.import', outcome: 'done', of: before + 1, facts: { answer: { stored: 1 } } },
  ]);
});

test('what failed does not say that it was done', async () => {
  const before = await lastOf(service);
  const raw = { type: 'application/x-ndjson', bytes: 'no record at all' };
  const refused = await service.request('POST', `${local()}/records?format=ndjson`, { raw });
  expect(refused.status).toBe(400);
  expect(await entriesSince(service, before)).toMatchObject([
    { outcome: 'begun' },
    { outcome: 'failed', of: before + 1, message: expect.any(String) },
  ]);
});

test('a delete leaves what was told, and tells all that went', async () => {
  const note = await dataOf(service, 'POST', `${local()}/notes`, {
    start: '2026-03-02T20:30:00Z',
    text: 'Seen',
  });
  await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}/devices/${world.device_id}`);
  const { entries } = await entriesOf(service, { device_id: world.device_id });
  expect(entries.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(['notes.create', 'devices.create', 'devices.delete']),
  );
  const gone = entries.findLast(({ operation }) => operation === 'devices.delete');
  const removed = gone?.changes.filter(({ after }) => after === null).map(({ table, id }) => [table, id]);
  expect(removed).toEqual(
    expect.arrayContaining([
      ['devices', world.device_id],
      ['notes', note.id],
    ]),
  );
});

test('entries are found by project, device, key, who, operation and time, and in pages', async () => {
  await dataOf(service, 'PATCH', `${local()}/key-settings`, { key: 'temperature', unit: '°C' });
  const of = async (query: Record<string, string | number>) =>
    (await entriesOf(service, query)).entries.map(({ operation }) => operation);
  expect(await of({ key: 'temperature', operation: 'key-settings.set' })).toEqual(['key-settings.set']);
  expect(await of({ project_id: world.other_project_id })).toEqual(['projects.create']);
  expect(await of({ by: 'nobody' })).toEqual([]);
  expect((await of({ by: 'service' })).every((operation) => operation === 'service.start')).toBe(true);
  expect(await of({ end: '2000-01-01T00:00:00Z' })).toEqual([]);
  const all = (await entriesOf(service, { limit: 200 })).entries.map(({ n }) => n);
  const paged: number[] = [];
  for (let before: number | null = all.length + 1; before !== null;) {
    const { entries, next }: { entries: readonly { n: number }[]; next: number | null } = await entriesOf(
      service,
      { limit: 3, before },
    );
    paged.push(...entries.map(({ n }) => n));
    before = next;
  }
  expect(paged).toEqual(all);
});

test('wrong input is refused with its field, and the trail is for administrators', async () => {
  const refused = async (query: string) =>
    (await service.request('GET', `/_local/v1/audit?${query}`)).envelope.message;
  expect(await refused('limit=0')).toMatch(/^limit must be a whole number from 1 to 200/);
  expect(await refused('start=soon')).toMatch(/^start must be an ISO 8601 time/);
  expect(await refused('start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z')).toMatch(
    /^start must not be after end/,
  );
  const limited = await world.issueKey(['admin'], [world.project_id]);
  for (const key of [limited, world.strangers_key])
    for (const path of ['', '/export', '/verify'])
      expect((await service.request('GET', `/_local/v1/audit${path}`, { key })).status).toBe(403);
});

test('every line holds the hash of the one before, and the service says that they are whole', async () => {
  const lines = (await trailOf(service)).trimEnd().split('\n');
  const verified = await verifiedBy(service);
  expect(verified).toMatchObject({ entries: lines.length, first: 1, last: lines.length, harmed: 0 });
  expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(lines.map((_, i) => i + 1));
});
