import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FACTS_ID, recordsId, type PageFacts, type PageView } from '#shared/handover/page-facts.ts';
import { unpackColumn, unpackTimes, valueAt } from '#shared/handover/packed-columns.ts';
import { formatMicros } from '#shared/values/time.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld } from '../world.ts';

/* An export as a page (docs/local-api.md, "Import and export"): what is in it is read here as its viewer reads it. */

let service: RunningService;
beforeAll(async () => {
  service = await runService();
});
afterAll(() => service.stop());

async function pageOf(path: string): Promise<string> {
  const answer = await service.request('GET', path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  return answer.text;
}

const elementIn = (page: string, id: string) =>
  new RegExp(`<script type="[^"]+" id="${id}">([^<]*)</script>`).exec(page)?.[1] ?? '';
const factsIn = (page: string) => JSON.parse(elementIn(page, FACTS_ID)) as PageFacts;

function recordsIn(page: string, place: number, view: PageView): readonly Record<string, unknown>[] {
  const lines = elementIn(page, recordsId(place)).split('\n');
  const bytes = (line: number) => new Uint8Array(inflateSync(Buffer.from(lines[line] ?? '', 'base64')));
  const times = unpackTimes(bytes(view.times), view.records);
  const columns = view.columns.map(([key, line]) => [key, unpackColumn(bytes(line), view.records)] as const);
  return [...times].map((time, row) => ({
    timestamp: formatMicros(time),
    ...Object.fromEntries(
      columns.flatMap(([key, column]) => {
        const value = valueAt(column, row);
        return value === undefined ? [] : [[key, value]];
      }),
    ),
  }));
}

async function worldWithRecords() {
  const { project_id, device_id, device_token } = await createWorld(service);
  const device = `/_local/v1/projects/${project_id}/devices/${device_id}`;
  const records = [
    {
      timestamp: '1969-12-31T23:59:59.999999Z',
      temperature: -0.1,
      text: '</script><img src=x onerror=alert(1)>',
    },
    { timestamp: '2026-03-04T23:30:00.000001Z', temperature: 21.5, open: true },
    { timestamp: '2026-03-04T23:30:00.000001Z', counter: 9_007_199_254_740_991 },
  ];
  for (const body of records)
    await service.request('POST', '/integrations/http', { key: device_token, body });
  return { project_id, device_id, device, records };
}

test('a page has the records exactly, and the same ones as NDJSON', async () => {
  const { device } = await worldWithRecords();
  const page = await pageOf(`${device}/records?format=html`);
  const facts = factsIn(page);
  const ndjson = (await service.request('GET', `${device}/records?format=ndjson`)).text;
  const lines = ndjson
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  const [first] = facts.devices;
  expect(recordsIn(page, 0, first!.raw)).toEqual(lines);
  expect(await pageOf(`${device}/records?format=html`)).toBe(page);
});

test('a note stands at the corrected time of its moment in the corrected view, and as it was written in the raw one', async () => {
  const { device } = await worldWithRecords();
  const body = { start: '2026-03-04T23:40:00Z', text: 'door' };
  await service.request('POST', `${device}/notes`, { body });
  const hour = { start: '2026-03-04T23:00:00Z', end: '2026-03-04T23:59:59Z' };
  const notes = async (span: { readonly start: string; readonly end: string }) => {
    const page = await pageOf(`${device}/records?format=html&start=${span.start}&end=${span.end}`);
    const [first] = factsIn(page).devices;
    return [first?.notes, first?.corrected_notes].map((list) => list?.map(({ start }) => start));
  };
  expect(await notes(hour)).toEqual([['2026-03-04T23:40:00.000000Z'], undefined]);
  const clock = { kind: 'time', from: hour.start, to: hour.end, shift_us: -3_600_000_000 };
  await service.request('POST', `${device}/corrections`, { body: clock });
  expect(await notes(hour)).toEqual([['2026-03-04T23:40:00.000000Z'], []]);
  const before = { start: '2026-03-04T22:00:00Z', end: '2026-03-04T22:59:59Z' };
  expect(await notes(before)).toEqual([[], ['2026-03-04T22:40:00.000000Z']]);
});

test('what devices send is text in a page, and its policy lets nothing of it run', async () => {
  const { device } = await worldWithRecords();
  await service.request('PATCH', device, { body: { name: '</title><script>alert(1)</script>' } });
  const page = await pageOf(`${device}/records?format=html`);
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>');
  expect(page).toMatch(
    /default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; img-src data:;/,
  );
  expect(page).not.toMatch(/onerror|<img/);
});

test('a corrected device has both views in its page, and shows the one that was asked for', async () => {
  const { device } = await worldWithRecords();
  const correction = { kind: 'calibration', key: 'temperature', points: [[20, 20.5]] };
  expect((await service.request('POST', `${device}/corrections`, { body: correction })).status).toBe(200);
  const page = await pageOf(`${device}/records?format=html&view=corrected`);
  const { view, devices } = factsIn(page);
  expect(view).toBe('corrected');
  const [handed] = devices;
  const { raw, corrected } = handed!;
  expect(handed?.corrections).toContainEqual(
    expect.objectContaining({ kind: 'calibration', key: 'temperature' }),
  );
  const temperatures = (of: PageView) =>
    recordsIn(page, 0, of).flatMap((record) => record['temperature'] ?? []);
  expect(temperatures(raw)).toContain(21.5);
  expect(temperatures(corrected!)).toContain(22);
  // What is the same in both is there once.
  const lineOf = ({ columns }: PageView, key: string) => new Map(columns).get(key);
  expect(lineOf(corrected!, 'counter')).toBe(lineOf(raw, 'counter'));
  expect(lineOf(corrected!, 'temperature')).not.toBe(lineOf(raw, 'temperature'));
});

test('a page has each view as NDJSON has it, whatever was corrected', async () => {
  const { device } = await worldWithRecords();
  const whole = { from: '1969-01-01T00:00:00Z', to: '2027-01-01T00:00:00Z' };
  const corrections = [
    { kind: 'calibration', key: 'temperature', points: [[20, 20.5]] },
    { kind: 'derived', key: 'twice', of: '2 * temperature' },
    { kind: 'quality', keys: ['open'], ...whole, quality: 'fail', reason: 'The switch hung.' },
    { kind: 'time', from: '2026-01-01T00:00:00Z', to: whole.to, shift_us: 1_000_000 },
  ];
  for (const body of corrections) {
    expect((await service.request('POST', `${device}/corrections`, { body })).status).toBe(200);
    const page = await pageOf(`${device}/records?format=html`);
    const [handed] = factsIn(page).devices;
    for (const view of ['raw', 'corrected'] as const) {
      const { text } = await service.request('GET', `${device}/records?format=ndjson&view=${view}`);
      const lines = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
      expect(recordsIn(page, 0, handed![view]!)).toEqual(lines);
    }
  }
});

test('a page has the keys and the span that are asked for, and further devices', async () => {
  const { device, project_id } = await worldWithRecords();
  const made = await service.request('POST', `/v2/projects/${project_id}/devices`, {
    body: { name: 'Empty', source: 'http' },
  });
  const { id } = (JSON.parse(made.text) as { readonly data: { readonly id: string } }).data;
  const page = await pageOf(
    `${device}/records?format=html&keys=counter&start=2026-03-04T00:00:00Z&also=${id}`,
  );
  const [first, second] = factsIn(page).devices;
  expect(recordsIn(page, 0, first!.raw)).toEqual([
    { timestamp: '2026-03-04T23:30:00.000001Z', counter: 9_007_199_254_740_991 },
  ]);
  expect(second).toMatchObject({ name: 'Empty', raw: { records: 0, first: null, columns: [] } });
  // Nothing was corrected of it.
  expect(second).not.toHaveProperty('corrected');
});

test('a page takes no settings of a CSV, and is estimated', async () => {
  const { device } = await worldWithRecords();
  const refused = await service.request('GET', `${device}/records?format=html&delimiter=;`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('delimiter: is for csv alone, not for html');
  const estimate = await service.request('GET', `${device}/records/estimate?format=html`);
  const page = await pageOf(`${device}/records?format=html`);
  const { bytes } = (JSON.parse(estimate.text) as { readonly data: { readonly bytes: number } }).data;
  expect(bytes).toBeGreaterThan(page.length / 3);
  expect(bytes).toBeLessThan(page.length * 3);
});
