import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Note } from '#shared/operations/metadata/notes.ts';
import type { SettingsOfKey } from '#shared/operations/metadata/key-settings.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, without, type World } from '../world.ts';

/* Edits that are taken back or done again, where nobody changed the same since (docs/local-api.md, "Edits"). */

let service: RunningService;
let world: World;
let project: string;
let device: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  project = `/_local/v1/projects/${world.project_id}`;
  device = `${project}/devices/${world.device_id}`;
});
afterAll(() => service.stop());

const replace = (body: object, key?: string) =>
  service.request('POST', `${project}/edits`, { body, ...(key !== undefined && { key }) });

async function replaced(body: object): Promise<unknown> {
  const { status, envelope } = await replace(body);
  expect(status, envelope.message).toBe(200);
  return envelope.data;
}

async function refused(body: object): Promise<string> {
  const { status, envelope } = await replace(body);
  expect(status, envelope.message).toBe(400);
  return envelope.message;
}

const deviceNow = () => dataOf(service, 'GET', `/v2/projects/${world.project_id}/devices/${world.device_id}`);
const notesNow = async () => (await dataOf(service, 'GET', `${device}/notes`)) as unknown as readonly Note[];
const settingsNow = async () =>
  (await dataOf(service, 'GET', `${project}/key-settings`)) as unknown as readonly SettingsOfKey[];

test('fields of a project and a device are replaced where they are as they were left, and others stay', async () => {
  await dataOf(service, 'PATCH', device, { name: 'Sensor', tags: ['roof'], brand: 'Acme' });
  const edit = {
    device_id: world.device_id,
    was: { name: 'Sensor', tags: ['roof'] },
    be: { name: 'ESP32', tags: [] },
  };
  // Somebody else's field is none of its business.
  await dataOf(service, 'PATCH', device, { brand: 'Bolt' });
  expect(await replaced({ devices: [edit] })).toEqual({ changed: 1 });
  expect(await deviceNow()).toMatchObject({ name: 'ESP32', tags: [], brand: 'Bolt' });
  // The answer may have been lost: once more is no harm, and nothing to refuse.
  expect(await replaced({ devices: [edit] })).toEqual({ changed: 0 });

  const of = { was: { name: 'Boiler room' }, be: { name: 'Boilers' } };
  expect(await replaced({ project: of })).toEqual({ changed: 1 });
  expect(await replaced({ project: { was: of.be, be: of.was } })).toEqual({ changed: 1 });
  expect(await dataOf(service, 'GET', `/v2/projects/${world.project_id}`)).toMatchObject({
    name: 'Boiler room',
  });
});

test('what somebody else changed since is named and stays, and so does all else of the call', async () => {
  await dataOf(service, 'PATCH', device, { name: 'Pump', description: 'by the door', tags: [] });
  await dataOf(service, 'PATCH', `${device}/key-settings`, { key: 'temperature', unit: 'K' });
  const before = [await deviceNow(), await settingsNow()];
  const good = { device_id: world.device_id, was: { description: 'by the door' }, be: { description: '' } };
  expect(
    await refused({
      devices: [good, { device_id: world.device_id, was: { name: 'Press' }, be: { name: 'Old' } }],
    }),
  ).toBe('Nothing was changed: since then the name of "Pump" was changed, to "Pump".');
  expect(
    await refused({
      devices: [good],
      keys: [{ key: 'temperature', device_ids: [world.device_id], was: { unit: '°C' }, be: { unit: '' } }],
    }),
  ).toBe('Nothing was changed: since then the unit of "temperature" of "Pump" was changed, to "K".');
  const gone = { device_id: randomUUID(), was: {}, be: { name: 'Ghost' } };
  expect(await refused({ devices: [good, gone] })).toContain('a device was deleted or moved');
  expect(
    await refused({ keys: [{ key: 'a', device_ids: [randomUUID()], was: {}, be: { unit: 'm' } }] }),
  ).toContain('a device was deleted or moved');
  expect([await deviceNow(), await settingsNow()]).toEqual(before);
});

test('the settings of a key come back for each device as they were, and go again', async () => {
  const made: string[] = [];
  for (const n of [1, 2, 3]) {
    const { id, metadata } = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name: `Twin ${n}`,
      source: 'http',
    });
    const { device_token } = metadata as { readonly device_token: string };
    await service.request('POST', '/integrations/http', { key: device_token, body: { flow: n } });
    made.push(id);
  }
  const [first = '', ...others] = made;
  const path = `${project}/devices/${first}/key-settings`;
  await dataOf(service, 'PATCH', `${project}/devices/${others[1]}/key-settings`, {
    key: 'flow',
    unit: 'l/s',
  });
  const atFirst = await settingsNow();
  const body = { key: 'flow', unit: 'm³/h', decimals: 1, apply_to: 'project' };
  const set = await dataOf(service, 'PATCH', path, body);
  expect(set).toMatchObject({ changed: 3 });
  const before = set['before'] as readonly { readonly device_ids: string[]; readonly settings: object }[];
  expect(before.map(({ device_ids }) => device_ids.toSorted())).toEqual(
    expect.arrayContaining([[others[1]], [first, others[0] ?? ''].toSorted()]),
  );
  const then = await settingsNow();
  const be = { unit: 'm³/h', decimals: 1 };
  const back = before.map(({ device_ids, settings }) => {
    const { unit, decimals } = settings as SettingsOfKey;
    return { key: 'flow', device_ids, was: be, be: { unit, decimals } };
  });
  expect(await replaced({ keys: back })).toEqual({ changed: 3 });
  expect(await settingsNow()).toEqual(atFirst);
  const again = back.map((edit) => ({ ...edit, was: edit.be, be: edit.was }));
  expect(await replaced({ keys: again })).toEqual({ changed: 3 });
  const sorted = (rows: readonly SettingsOfKey[]) =>
    rows.toSorted((a, b) => (a.device_id + a.key < b.device_id + b.key ? -1 : 1));
  expect(sorted(await settingsNow())).toEqual(sorted(then));
});

test('a note is removed, comes back as itself, and is not written over another one', async () => {
  const note = await dataOf(service, 'POST', `${device}/notes`, {
    start: '2026-03-02T20:30:00Z',
    end: '2026-03-02T20:45:00Z',
    text: 'Pump off',
  });
  const { id: note_id, start, end, text, author, created_at } = note;
  const fields = { start, end, text, author, created_at };
  const of = { device_id: world.device_id, note_id };
  expect(await replaced({ notes: [{ ...of, was: fields, be: null }] })).toEqual({ changed: 1 });
  expect((await notesNow()).map(({ id }) => id)).not.toContain(note_id);
  const { data } = (await service.bridge.call('edits.replace', {
    project_id: world.project_id,
    notes: [{ ...of, was: null, be: fields as never }],
  })) as { readonly data: unknown };
  expect(data).toEqual({ changed: 1 });
  expect(await notesNow()).toContainEqual(note);

  await dataOf(service, 'PATCH', `${device}/notes/${note_id}`, { text: 'Pump off, by hand' });
  expect(await refused({ notes: [{ ...of, was: fields, be: null }] })).toBe(
    'Nothing was changed: since then the note "Pump off" was changed, to "Pump off, by hand".',
  );
  expect(await refused({ notes: [{ ...of, was: null, be: fields }] })).toContain('is there again');
  await dataOf(service, 'DELETE', `${device}/notes/${note_id}`);
  expect(await refused({ notes: [{ ...of, was: fields, be: { ...fields, text: 'Other' } }] })).toContain(
    'the note "Pump off" was deleted',
  );
  expect(
    await refused({ notes: [{ ...of, was: null, be: { ...fields, end: '2026-03-02T20:00:00Z' } }] }),
  ).toBe('start must not be after end');
});

test('a key writes notes by its own name, and removes none without the permission', async () => {
  const note_id = randomUUID();
  const be = { start: '2026-03-02T20:31:00Z', end: null, text: 'Seen', author: 'Somebody else' };
  const key = await world.issueKey(without('delete'));
  const notes = [{ device_id: world.device_id, note_id, was: null, be }];
  expect((await replace({ notes }, key)).status).toBe(200);
  const made = (await notesNow()).find(({ id }) => id === note_id);
  expect(made).toMatchObject({ text: 'Seen', author: 'made for a test' });
  const removal = { notes: [{ device_id: world.device_id, note_id, was: be, be: null }] };
  const answer = await replace(removal, key);
  expect([answer.status, answer.envelope.message]).toEqual([
    403,
    'This API key lacks the permission "delete".',
  ]);
  expect(await replaced(removal)).toEqual({ changed: 1 });
});
