import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Upload } from '#shared/operations/service/uploads.ts';
import { dataOf, UPLOAD } from '../world.ts';
import { at, simulated, type Place, type Simulated } from './simulated.ts';

/* docs/rigs.md, "Simulators": what a device or a file holds is stored once more. */

let rig: Simulated;
let from: Place;
let place: Place;

/** Of the device `from`: 5, 8 and 20 s apart. */
const SECONDS = [0, 5, 13, 33];
beforeEach(async () => {
  rig = await simulated();
  const { token, ...source } = await rig.device();
  from = source;
  const { project_id, device_id } = await rig.device('http', from.project_id);
  place = { project_id, device_id };
  const body = SECONDS.map((s, n) => ({ timestamp: at(s - 5000), n, state: `s${n}`, 'a.b': true }));
  await rig.service.request('POST', '/integrations/http', { key: token, body });
});
afterEach(() => rig.service.stop());

const replay = (body: object = {}) => rig.start({ ...place, replay: { device_id: from.device_id }, ...body });
const timesOf = async () => (await rig.records(place)).map(({ timestamp }) => timestamp);

test('with the times that they had, as far apart as they were', async () => {
  const made = await replay({ times: 'kept' });
  expect(made).toMatchObject({
    replay: { device_id: from.device_id },
    times: 'kept',
    keys: null,
    every_ms: null,
    start: at(-5000),
    stored: 1,
    next: at(5),
  });
  await rig.advance(12_999);
  expect(await timesOf()).toEqual([at(-5000), at(-4995)]);
  await rig.advance(20_001);
  expect(await rig.records(place)).toEqual(await rig.records(from));
  expect(await rig.list()).toMatchObject([{ state: 'done', stored: 4 }]);
});

test('with the times of now, and so many times as fast', async () => {
  await replay({ times: 'now', speed: 2 });
  await rig.advance(60_000);
  expect(await timesOf()).toEqual(SECONDS.map((s) => at(s / 2)));
});

test('all at once: with the times that they had, or the last one at the present', async () => {
  const { id } = await replay({ speed: 'max' });
  expect(await rig.ended(id)).toMatchObject({ state: 'done', stored: 4 });
  const second = await replay({ speed: 'max', times: 'now', count: 4 });
  await rig.ended(second.id);
  expect(await timesOf()).toEqual([...SECONDS.map((s) => at(s - 5000)), ...SECONDS.map((s) => at(s - 33))]);
});

test('a long recording is stored whole, in its order', async () => {
  const body = { ...from, every_ms: 10, keys: { i: { shape: 'counter', step: 1 } }, start: at(-4000) };
  await rig.ended((await rig.start({ ...body, count: 7001, speed: 'max' })).id);
  const { id } = await replay({ speed: 'max' });
  expect(await rig.ended(id)).toMatchObject({ stored: 7005, refused: 0 });
  expect(await rig.records(place)).toEqual(await rig.records(from));
});

test('a device can be stored into itself, once', async () => {
  const { id } = await rig.start({ ...from, replay: { device_id: from.device_id }, speed: 'max' });
  expect(await rig.ended(id)).toMatchObject({ stored: 4 });
  expect(await rig.records(from)).toHaveLength(8);
});

const upload = async (bytes: string, type = 'text/csv', query = '') => {
  const raw = { type, bytes };
  return rig.service.request('POST', `/_local/v1/uploads${query}`, { raw });
};
const uploads = async () =>
  (await dataOf(rig.service, 'GET', '/_local/v1/uploads')) as unknown as readonly Upload[];

test('a file is uploaded, replayed as often as wanted, and forgotten', async () => {
  const csv = 'time;value\n2026-01-01T00:00:00Z;1,5\n2026-01-01T00:01:00Z;2,5\n';
  const { envelope } = await upload(csv);
  const made = envelope.data as unknown as Upload;
  expect(made).toMatchObject({
    bytes: csv.length,
    records: 2,
    first: '2026-01-01T00:00:00.000000Z',
    last: '2026-01-01T00:01:00.000000Z',
  });
  expect(await uploads()).toEqual([made]);
  await rig.start({ ...place, replay: { file: made.id }, speed: 'max' });
  const { id } = await rig.start({ ...place, replay: { file: made.id }, times: 'now' });
  await rig.advance(60_000);
  expect(await rig.list()).toMatchObject([{ state: 'done' }, { id, state: 'done', stored: 2 }]);
  expect(await rig.records(place)).toEqual([
    { timestamp: '2026-01-01T00:00:00.000000Z', value: 1.5 },
    { timestamp: '2026-01-01T00:01:00.000000Z', value: 2.5 },
    { timestamp: at(0), value: 1.5 },
    { timestamp: at(60), value: 2.5 },
  ]);
  await dataOf(rig.service, 'DELETE', `/_local/v1/uploads/${made.id}`);
  expect(await uploads()).toEqual([]);
  expect(await rig.refused({ ...place, replay: { file: made.id } })).toMatch(
    /^replay\.file must be the id of an upload/,
  );
});

test('a file with a row that cannot be read is refused by its line, and a reset forgets the others', async () => {
  const refused = await upload('time,value\n2026-01-01T00:00:00Z,1\nyesterday,2\n');
  expect([refused.status, refused.envelope.message]).toEqual([
    400,
    expect.stringMatching(/^line 3: .*Nothing was kept\.$/),
  ]);
  expect((await upload('')).status).toBe(400);
  expect((await upload(UPLOAD, 'application/x-ndjson')).status).toBe(200);
  expect(await uploads()).toHaveLength(1);
  await dataOf(rig.service, 'POST', '/_local/v1/reset', { to: 'empty' });
  expect(await uploads()).toEqual([]);
});

test('uploads have their limit, and say so', async () => {
  const line = `${UPLOAD.trim()}\n`;
  const large = line.repeat(Math.ceil((33 * 1024 * 1024) / line.length));
  expect((await upload(large, 'application/x-ndjson')).status).toBe(200);
  const { status, envelope } = await upload(large, 'application/x-ndjson');
  expect([status, envelope.message]).toEqual([413, expect.stringMatching(/at most 64 MiB together/)]);
}, 60_000);

test.each([
  [{ replay: {} }, /^replay must be \{"device_id": a device\} or \{"file": an upload\}/],
  [{ replay: { device_id: 'x', file: 'y' } }, /^replay must be/],
  [{ replay: { device_id: 'nowhere' } }, /^replay\.device_id must be the id of a device, got "nowhere"/],
  [{ replay: { file: 'nothing' } }, /^replay\.file must be the id of an upload, got "nothing"/],
  [{ every_ms: 5 }, /^every_ms must be absent in a replay/],
  [{ jitter_ms: 5 }, /^jitter_ms must be absent in a replay/],
  [{ keys: { a: { shape: 'constant', value: 1 } } }, /^keys must be absent in a replay/],
  [{ times: 'then' }, /^times must be "kept" or "now"/],
  [
    { replay: undefined },
    /^keys is required: it must be an object of 1 to 256 shapes by data key, unless "replay"/,
  ],
])('%j is refused', async (wrong, message) => {
  expect(await rig.refused({ ...place, replay: { device_id: from.device_id }, ...wrong })).toMatch(message);
});

test('a device without records, or of others, is no recording', async () => {
  expect(await rig.refused({ ...from, replay: { device_id: place.device_id } })).toMatch(
    /^replay\.device_id must be a device that has records/,
  );
  const { envelope } = await rig.service.request('POST', '/_local/v1/accounts', { body: { name: 'Others' } });
  const { api_key: key } = envelope.data as unknown as { api_key: string };
  const project = await rig.service.request('POST', '/_local/v1/projects', { key, body: { name: 'Theirs' } });
  const { id: project_id } = project.envelope.data as unknown as { id: string };
  const device = await rig.service.request('POST', `/v2/projects/${project_id}/devices`, {
    key,
    body: { name: 'D', source: 'http' },
  });
  const { id: device_id } = device.envelope.data as unknown as { id: string };
  const body = { project_id, device_id, replay: { device_id: from.device_id } };
  const { status } = await rig.service.request('POST', '/_local/v1/simulators', { key, body });
  expect(status).toBe(403);
});
