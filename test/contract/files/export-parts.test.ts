import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/local-api.md, "Import and export": an export that was cut off is continued, byte for byte. */

let service: RunningService;
let world: World;
let records: string;

/** Every part comes from the same service. */
const ALONE = { isAlone: true };
beforeAll(async () => {
  service = await runService({}, ALONE);
});
afterAll(() => service.stop());
beforeEach(async () => {
  world = await createWorld(service);
  records = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/records`;
});

async function get(query: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await fetch((service.service.http_url ?? service.service.base_url) + records + query, {
    method,
    headers: { authorization: `Bearer ${service.service.api_key}`, ...headers },
  });
  return { response, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const store = (body: unknown) =>
  service.request('POST', '/integrations/http', { key: world.device_token, body });

test('the rest of any format follows on its beginning, wherever it was cut', async () => {
  for (const query of [
    '?format=csv',
    '?format=ndjson',
    '?format=parquet',
    '?format=xlsx',
    '?format=csv&zone=Asia/Tokyo',
  ]) {
    const whole = await get(query);
    const etag = whole.response.headers.get('etag') ?? '';
    expect([whole.status, whole.response.headers.get('accept-ranges')]).toEqual([200, 'bytes']);
    const { length } = whole.bytes;
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: length - 1 }), async (from) => {
        const rest = await get(query, { range: `bytes=${from}-`, 'if-range': etag });
        expect(rest.status).toBe(206);
        expect(rest.response.headers.get('content-range')).toBe(`bytes ${from}-${length - 1}/${length}`);
        expect(rest.response.headers.get('etag')).toBe(etag);
        expect(rest.bytes.equals(whole.bytes.subarray(from))).toBe(true);
      }),
      { numRuns: 8 },
    );
  }
});

test('the rest comes without If-Range too, as curl -C - asks for it, and after the end there is none', async () => {
  const { bytes } = await get('');
  const rest = await get('', { range: 'bytes=10-' });
  expect([rest.status, rest.bytes.equals(bytes.subarray(10))]).toEqual([206, true]);
  for (const from of [bytes.length, bytes.length + 1]) {
    const none = await get('', { range: `bytes=${from}-` });
    expect(none.status).toBe(416);
    expect(none.response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
    expect(JSON.parse(none.bytes.toString())).toMatchObject({ success: false, status: 416, data: null });
  }
});

test('after a restart the state is another, and the bytes of the same records are the same', async () => {
  const queries = ['?format=csv', '?format=ndjson', '?format=parquet', '?format=xlsx'];
  const before = await Promise.all(queries.map((query) => get(query)));
  await service.service.close();
  service = await runService({ directory: service.directory }, ALONE);
  for (const [i, query] of queries.entries()) {
    const { response, bytes } = before[i]!;
    const condition = response.headers.get('etag') ?? '';
    const anew = await get(query, { range: 'bytes=9-', 'if-range': condition });
    expect([anew.status, anew.bytes.equals(bytes)]).toEqual([200, true]);
    expect(anew.response.headers.get('etag')).not.toBe(condition);
    const rest = await get(query, { range: 'bytes=9-' });
    expect([rest.status, rest.bytes.equals(bytes.subarray(9))]).toEqual([206, true]);
  }
});

test('what is no rest gets the whole, and so does HEAD nothing', async () => {
  const whole = await get('');
  for (const range of ['bytes=0-', 'bytes=1-2', 'bytes=-5', 'bytes=1-,3-', 'lines=1-', 'bytes=x-'])
    expect(await get('', { range })).toMatchObject({ status: 200, bytes: whole.bytes });
  const head = await get('', { range: 'bytes=1-' }, 'HEAD');
  expect([head.status, head.response.headers.get('etag')]).toEqual([200, whole.response.headers.get('etag')]);
});

test('where the records are others now, the whole comes anew', async () => {
  const begun = await get('?format=csv');
  const etag = begun.response.headers.get('etag') ?? '';
  const again = async (query = '?format=csv', condition = etag) => {
    const { status, bytes } = await get(query, { range: 'bytes=5-', 'if-range': condition });
    const { bytes: whole } = await get(query);
    expect(bytes.equals(status === 206 ? whole.subarray(5) : whole)).toBe(true);
    return status;
  };
  expect(await again()).toBe(206);
  for (const other of ['?format=ndjson', '?format=csv&keys=temperature', '?format=csv&zone=UTC'])
    expect(await again(other)).toBe(200);
  for (const wrong of ['"other"', `W/${etag}`, 'Mon, 02 Mar 2026 20:30:21 GMT', ''])
    expect(await again('?format=csv', wrong)).toBe(200);
  // One goes and another comes: as many as before, from the same instant to the same.
  const instant = '2026-03-02T20:31:21.202946Z';
  await service.request('DELETE', `${records}?start=${instant}&end=${instant}`);
  await store({ timestamp: instant, temperature: 21, state: 'off' });
  expect(await again()).toBe(200);
});

test('what comes outside the span is no reason to begin anew, what comes inside is', async () => {
  const query = '?format=csv&keys=temperature&end=2026-03-02T20:35:00Z';
  const { response } = await get(query);
  const again = () => get(query, { range: 'bytes=5-', 'if-range': response.headers.get('etag') ?? '' });
  await store({ timestamp: '2026-03-02T21:00:00Z', temperature: 30 });
  expect((await again()).status).toBe(206);
  await store({ timestamp: '2026-03-02T20:33:00Z', temperature: 30 });
  expect((await again()).status).toBe(200);
});

test('an estimate says how many records an export has, about how large it is, and what it is called', async () => {
  const estimate = (query: string) => dataOf(service, 'GET', `${records}/estimate${query}`);
  for (const query of ['?format=csv', '?format=ndjson&keys=state', '?format=parquet', '?format=xlsx']) {
    const { bytes, response } = await get(query);
    expect(await estimate(query)).toEqual({
      records: query.includes('state') ? 2 : 3,
      first: '2026-03-02T20:30:21.202946Z',
      last: '2026-03-02T20:32:21.202946Z',
      bytes: bytes.length,
      name: 'ESP32_2026-03-02',
      state: response.headers.get('etag')?.slice(1, -1),
    });
  }
  expect(await estimate('?keys=nothing')).toMatchObject({ records: 0, bytes: 0 });
});

test.each([
  ['?format=parquet&zone=UTC', 'zone: is for csv or xlsx alone, not for parquet'],
  ['?format=ndjson&delimiter=;', 'delimiter: is for csv alone, not for ndjson'],
  ['?format=csv&zone=Mars', 'zone must be an IANA time zone such as "Europe/Berlin", or "UTC", got "Mars"'],
  [
    '?format=csv&delimiter=,&decimal_mark=,',
    'delimiter must not be what stands before decimals, got "," for both',
  ],
  ['?format=xlsx&formulas=escape', 'formulas: is for csv alone, not for xlsx'],
  ['?format=csv&also=x', 'also: is for xlsx or html alone, not for csv'],
  ['?format=xlsx&also=x', 'also: there is no device "x" in this project'],
  ['?format=xls', 'format must be "csv", "ndjson", "parquet", "xlsx" or "html", got "xls"'],
])('refuses %s', async (query, message) => {
  const { status, envelope } = await service.request('GET', records + query);
  expect([status, envelope.message]).toEqual([400, expect.stringContaining(message)]);
});

test('CSV for a spreadsheet has its marks, its zone and its offset', async () => {
  const { bytes } = await get('?format=csv&decimal_mark=,&zone=Europe/Berlin&keys=temperature,state');
  expect(bytes.toString()).toBe(
    [
      'timestamp;"temperature";"state"',
      '2026-03-02T21:30:21.202946+01:00;20,5;"idle"',
      '2026-03-02T21:31:21.202946+01:00;21;"on"',
      '2026-03-02T21:32:21.202946+01:00;22,25;',
      '',
    ].join('\r\n'),
  );
});

test('a CSV for people has the titles, units and notes of the device, and another state with them', async () => {
  const device = records.replace(/\/records$/, '');
  const set = (key: string, shown_as: string, unit: string) =>
    service.request('PATCH', `${device}/key-settings`, { body: { key, shown_as, unit } });
  await set('temperature', 'Supply', '°C');
  const query = '?format=csv&titles=shown&notes=keep';
  const before = await get(query);
  const note = { start: '2026-03-02T20:31:00Z', text: 'door\nopen' };
  await service.request('POST', `${device}/notes`, { body: note });
  const { bytes, response } = await get(query);
  // The world has a note of its own.
  expect(bytes.toString().split('\r\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^# note 2026-03-02T20:31:00\.000000Z ".*": door open$/),
    'timestamp,"state","Supply (°C)"',
  ]);
  expect(response.headers.get('etag')).not.toBe(before.response.headers.get('etag'));
  await set('state', 'Supply', '°C');
  expect((await get(query)).bytes.toString()).toContain('"Supply (°C) [state]","Supply (°C) [temperature]"');
  // Lines before the names are no reason not to import it again.
  const whole = bytes.toString();
  const again = await service.request('POST', `${records}?format=csv&first_line=3&existing=skip`, {
    raw: { type: 'text/csv', bytes: whole },
  });
  expect(again.envelope).toMatchObject({ success: true });
});
