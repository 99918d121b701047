import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Job } from '#shared/domain/events.ts';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { lookAlike, RECORDINGS } from '../../helpers/files/recordings.ts';
import { PATIENTLY } from '../../helpers/patiently.ts';

/** Imports and exports through the service's doors, as a rig and a window use them. */
describe.each([
  ['in its thread', null],
  ['in a worker thread', WORKER_SCRIPT],
])('a recording, through the service that reads it %s', (_, logWorker) => {
  let running: RunningService;
  let device: { project_id: string; device_id: string };
  let path: string;

  beforeAll(async () => {
    running = await runService({ workerScript: logWorker });
    const project = await running.bridge.call('projects.create', { name: 'Lab', description: '' });
    const project_id = project.data?.id ?? '';
    const created = await running.bridge.call('devices.create', {
      project_id,
      name: 'Logger',
      source: 'http',
    });
    device = { project_id, device_id: created.data?.id ?? '' };
    path = `/_local/v1/projects/${project_id}/devices/${device.device_id}/records`;
  });
  afterAll(() => running.stop());

  const total = async () => {
    const { headers } = await running.request(
      'GET',
      `/v2/projects/${device.project_id}/devices/${device.device_id}/data?page=1&limit=1&range=all`,
    );
    return headers.get('X-Total-Count');
  };

  const upload = (text: string) =>
    running.bridge.upload('records.import', { ...device, zone: 'Europe/Berlin' }, new Blob([text]));

  test('that has a bad row leaves nothing, and says which row', async () => {
    const answer = await upload('time,a\n2015-02-04 17:51:00,1\nyesterday,2\n');
    expect(answer).toMatchObject({
      success: false,
      status: 400,
      message:
        'line 3: time must be a time like "2015-02-04 17:51:00", got "yesterday". Nothing was imported.',
    });
    expect(await total()).toBe('0');
  });

  test.each(RECORDINGS)('goes in by the window, out and in again by HTTP: $file', async (recording) => {
    expect(await upload(lookAlike(recording, 300))).toMatchObject({ status: 200, data: { stored: 300 } });
    expect(await total()).toBe('300');

    for (const [format, type] of [
      ['ndjson', 'application/x-ndjson'],
      ['csv', 'text/csv'],
    ] as const) {
      const exported = await running.request('GET', `${path}?format=${format}`);
      expect(exported.status).toBe(200);
      const count = Number(await total());
      const again = await running.request('POST', path, { raw: { type, bytes: exported.text } });
      expect(again.envelope).toMatchObject({ success: true, data: { stored: count, skipped: 0 } });
      expect(await total()).toBe(String(2 * count));
    }
    await running.bridge.call('data.purge', device);
  });

  test('is read by its settings, and again says what was there already', async () => {
    const bytes = 'Logger 7\nt_s;zip;bar\n0;00501;1,5\n60;10501;2,5\n';
    const query = String(
      new URLSearchParams({
        first_line: '2',
        time_kind: 'elapsed-s',
        started: '2026-01-05 09:00',
        zone: 'Europe/Berlin',
        delimiter: ';',
        decimal_mark: ',',
        text_columns: 'zip',
      }),
    );
    const raw = { type: 'text/csv', bytes };
    const first = await running.request('POST', `${path}?${query}`, { raw });
    expect(first.envelope).toMatchObject({ data: { stored: 2, first: '2026-01-05T08:00:00.000000Z' } });
    const again = await running.request('POST', `${path}?${query}`, { raw });
    expect(again.envelope.data).toMatchObject({
      stored: 2,
      notes: expect.arrayContaining([expect.stringMatching(/^2 records of this device already lay between/)]),
    });
    const exported = await running.request('GET', `${path}?format=ndjson`);
    expect(exported.text).toContain('{"timestamp":"2026-01-05T08:01:00.000000Z","bar":2.5,"zip":"10501"}');
    await running.bridge.call('data.purge', device);
  });

  test('is looked at as text or as bytes, as far as a request reaches', async () => {
    const inspect = async (body: unknown) =>
      (await running.request('POST', '/_local/v1/records/inspect', { body })).envelope;
    const sample = 'a,b\n'.repeat(65_536);
    expect((await inspect({ sample })).status).toBe(200);
    expect(await inspect({ sample: `${sample}1` })).toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /^sample must be the beginning of the file as text, at most 262144 characters, got /,
      ),
    });
    const bytes = Buffer.from('\uFEFFtime;°C\n2026-01-05T08:00:00Z;1\n', 'utf16le').toString('base64');
    expect((await inspect({ bytes, complete: true })).data).toMatchObject({
      encoding: 'utf-16le',
      problem: null,
    });
    expect((await inspect({ bytes: '#' })).message).toMatch(
      /^bytes must be the beginning of the file in Base64/,
    );
    for (const body of [{}, { sample, bytes }])
      expect((await inspect(body)).message).toMatch(/^sample .*or bytes, not both/);
  });

  test('that is long comes out as it went in, or a part of it, and tells how far it is', async () => {
    const start = Date.UTC(2026, 0, 1);
    const timeOf = (n: number) => new Date(start + n * 1000).toISOString().replace('Z', '000Z');
    const lines = Array.from({ length: 70_000 }, (__, n) => `{"timestamp":"${timeOf(n)}","n":${n}}\n`).join(
      '',
    );
    const raw = { type: 'application/x-ndjson', bytes: lines };
    expect((await running.request('POST', path, { raw })).envelope).toMatchObject({
      data: { stored: 70_000 },
    });

    const told: Job[] = [];
    const silence = running.bridge.subscribe('jobs.progress', (job) => void told.push(job));
    const exported = await running.request('GET', `${path}?format=ndjson`);
    expect(exported.text === lines).toBe(true);
    await vi.waitFor(
      () => expect(told.at(-1)).toMatchObject({ kind: 'export', state: 'done', done: 70_000, total: 70_000 }),
      PATIENTLY,
    );
    silence();

    const part = await running.request('GET', `${path}?format=csv&start=${timeOf(9)}&end=${timeOf(10)}`);
    expect(part.text).toBe(`timestamp,"n"\r\n${timeOf(9)},9\r\n${timeOf(10)},10\r\n`);
    await running.bridge.call('data.purge', device);
  });
});
