import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* Notes (docs/local-api.md, "Notes"). */

let service: RunningService;
let world: World;
let notes: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  notes = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/notes`;
  await dataOf(service, 'DELETE', `${notes}/${world.note_id}`);
});
afterAll(() => service.stop());

const list = async (query = '') => (await dataOf(service, 'GET', `${notes}${query}`)) as unknown as Note[];
const create = async (body: object) => (await dataOf(service, 'POST', notes, body)) as unknown as Note;

async function refused(method: string, path: string, body: object): Promise<string> {
  const { status, envelope } = await service.request(method, path, { body });
  expect(status, envelope.message).toBe(400);
  return envelope.message;
}

test('notes are listed by time, of a span those that touch it', async () => {
  const span = await create({
    start: '2026-11-19T19:45:00+01:00',
    end: '2026-11-19T20:45:00+01:00',
    text: '12 records removed',
  });
  expect(span).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    device_id: world.device_id,
    start: '2026-11-19T18:45:00.000000Z',
    end: '2026-11-19T19:45:00.000000Z',
    text: '12 records removed',
    author: expect.stringMatching(/./),
    created_at: expect.stringMatching(/Z$/),
  });
  const before = await create({ start: '1700-01-01T00:00:00Z', text: 'first <b>of</b> all' });
  const after = await create({ start: '2026-11-19T19:45:00.000001Z', end: null, text: 'after' });
  expect(before.end).toBeNull();
  expect(await list()).toEqual([before, span, after]);
  expect(await list('?start=2026-11-19T19:00:00Z&end=2026-11-19T19:10:00Z')).toEqual([span]);
  expect(await list('?start=2026-11-19T19:45:00Z')).toEqual([span, after]);
  expect(await list('?start=2026-11-19T19:45:00.000002Z')).toEqual([]);
  expect(await list('?end=2026-11-19T18:45:00Z')).toEqual([before, span]);
  for (const { id } of [before, span, after]) await dataOf(service, 'DELETE', `${notes}/${id}`);
  expect(await list()).toEqual([]);
});

test('a note says which key wrote it, and the window says "app"', async () => {
  const api_key = await world.issueKey(['admin']);
  const answer = await service.request('POST', notes, {
    key: api_key,
    body: { start: '2026-03-02T20:31:00Z', text: 'By a program' },
  });
  expect(answer.envelope.data).toMatchObject({ author: 'made for a test' });
  const window = openWindow(service.service);
  const written = await window.bridge.call('notes.create', {
    project_id: world.project_id,
    device_id: world.device_id,
    start: '2026-03-02T20:32:00Z',
    text: 'By hand',
  });
  expect(written.data).toMatchObject({ author: 'app' });
  window.close();
});

test('a note is changed field by field', async () => {
  const { id } = await create({ start: '2026-03-02T20:00:00Z', end: '2026-03-02T21:00:00Z', text: 'a' });
  const one = `${notes}/${id}`;
  expect(await dataOf(service, 'PATCH', one, { text: 'b' })).toMatchObject({
    text: 'b',
    end: '2026-03-02T21:00:00.000000Z',
  });
  expect(await refused('PATCH', one, { start: '2026-03-02T21:00:01Z' })).toBe('start must not be after end');
  expect(await dataOf(service, 'PATCH', one, { end: null })).toMatchObject({ end: null });
  expect(await dataOf(service, 'PATCH', one, { start: '2026-03-02T21:00:01Z' })).toMatchObject({ text: 'b' });
  await dataOf(service, 'DELETE', one);
  expect((await service.request('PATCH', one, { body: { text: 'c' } })).status).toBe(404);
});

test('a note stands at the corrected time of its moment, and is never changed', async () => {
  const corrections = notes.replace(/notes$/, 'corrections');
  const hour = (n: number) => `2026-03-02T${n}:00:00.000000Z`;
  const made = [
    await create({ start: hour(10), text: 'before' }),
    await create({ start: hour(12), end: hour(13), text: 'within' }),
    await create({ start: hour(13), end: hour(20), text: 'out of it' }),
  ];
  const kept = [
    ['before', hour(10), null] as const,
    ['within', hour(12), hour(13)],
    ['out of it', hour(13), hour(20)],
  ];
  const seen = async (query: string) =>
    (await list(`${query}${query === '' ? '?' : '&'}end=${hour(20)}`)).map(({ text, start, end }) => [
      text,
      start,
      end,
    ]);
  expect(await seen('?view=corrected')).toEqual(kept);
  const clock = { kind: 'time', from: hour(11), to: hour(15), shift_us: -7_200_000_000 };
  const { id } = await dataOf(service, 'POST', corrections, clock);
  expect(await seen('')).toEqual(kept);
  expect(await seen('?view=raw')).toEqual(kept);
  expect(await seen('?view=corrected')).toEqual([
    ['before', hour(10), null],
    ['within', hour(10), hour(11)],
    ['out of it', hour(11), hour(20)],
  ]);
  expect(await seen(`?view=corrected&start=${hour(12)}`)).toEqual([['out of it', hour(11), hour(20)]]);

  // A file says of which view its times are, where they differ.
  const file = async (view: string) => {
    const path = notes.replace(/notes$/, `records?format=csv&notes=keep&view=${view}`);
    return (await service.request('GET', path)).text.split('\r\n').filter((line) => line.startsWith('#'));
  };
  expect((await file('corrected')).slice(0, 3)).toEqual([
    '# times of notes: corrected',
    `# note ${hour(10)} "${made[0]?.author}": before`,
    `# note ${hour(10)}/${hour(11)} "${made[1]?.author}": within`,
  ]);
  expect((await file('raw'))[0]).toBe('# times of notes: as stored');
  await dataOf(service, 'DELETE', `${corrections}/${id}`);
  expect((await file('raw'))[0]).toBe(`# note ${hour(10)} "${made[0]?.author}": before`);
  for (const note of made) await dataOf(service, 'DELETE', `${notes}/${note.id}`);
});

test('what a note does not take is refused in words', async () => {
  const start = '2026-03-02T20:00:00Z';
  expect(await refused('POST', notes, { start, text: '' })).toContain('text must be text of 1 to 500');
  expect(await refused('POST', notes, { start, text: 'x'.repeat(501) })).toContain('text must be text');
  expect(await refused('POST', notes, { start: 'now', text: 'x' })).toContain('start must be an ISO 8601');
  for (const far of ['1699-12-31T23:59:59Z', '2201-01-01T00:00:00Z'])
    expect(await refused('POST', notes, { start: far, text: 'x' })).toContain('the years 1700 to 2200');
  expect(await refused('POST', notes, { start, end: '2026-03-02T19:59:59Z', text: 'x' })).toContain(
    'start must not be after end',
  );
});

test("another device's note is not found by this one's path, and goes with its device", async () => {
  const other = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name: 'Other',
    source: 'http',
  });
  const theirs = `/_local/v1/projects/${world.project_id}/devices/${other.id}/notes`;
  const window = openWindow(service.service);
  // Of several services one hears of the others' changes a moment later: this device has none but these.
  const heard: unknown[] = [];
  window.bridge.subscribe('notes.changed', (event) => heard.push(event), { device_id: other.id });
  const { id } = await dataOf(service, 'POST', theirs, { start: '2026-03-02T20:00:00Z', text: 'x' });
  await expect.poll(() => heard).toMatchObject([{ device_id: other.id }]);
  for (const method of ['PATCH', 'DELETE'])
    expect((await service.request(method, `${notes}/${id}`, { body: {} })).status).toBe(404);
  await dataOf(service, 'PATCH', `${theirs}/${id}`, { text: 'y' });
  await expect.poll(() => heard.length).toBe(2);
  await dataOf(service, 'DELETE', `/v2/projects/${world.project_id}/devices/${other.id}`);
  expect((await service.request('GET', theirs)).status).toBe(404);
  window.close();
});
