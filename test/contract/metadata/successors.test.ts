import { afterAll, beforeAll, expect, test } from 'vitest';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import {
  openWindow,
  runService,
  type RunningService,
  type Window,
} from '../../helpers/service/running-service.ts';
import { backupOf, restored } from '../backup/backups.ts';
import { dataOf } from '../world.ts';

/* A window over a successor hears of whatever changes what it shows of the devices before it (docs/local-api.md, "Corrections"). */

let service: RunningService;
let window: Window;
let project: string;

beforeAll(async () => {
  service = await runService();
  window = openWindow(service.service);
  project = await projectOf('Roof');
});
afterAll(async () => {
  window.close();
  await service.stop();
});

const projectOf = async (name: string) => (await dataOf(service, 'POST', '/_local/v1/projects', { name })).id;

interface Device {
  readonly project_id: string;
  readonly id: string;
  readonly token: string;
  readonly path: string;
}

async function device(name: string, project_id = project): Promise<Device> {
  const body = { name, source: 'http' };
  const { id, metadata } = await dataOf(service, 'POST', `/v2/projects/${project_id}/devices`, body);
  const { device_token: token } = metadata as { readonly device_token: string };
  return {
    project_id,
    id,
    token,
    path: `/_local/v1/projects/${project_id}/devices/${id}`,
  };
}

const minute = (n: number) => `2026-03-02T20:${String(n).padStart(2, '0')}:00.000000Z`;
const UNTIL = minute(30);

const store = ({ token }: Device, ...minutes: readonly number[]) =>
  service.request('POST', '/integrations/http', {
    key: token,
    body: minutes.map((n) => ({ timestamp: minute(n), temperature: n })),
  });
const replaces = (after: Device, before: Device) =>
  dataOf(service, 'POST', `${after.path}/corrections`, {
    kind: 'replaced',
    device_id: before.id,
    until: UNTIL,
  });
/** Deletes so that it can be undone; resolves with the path of that. */
async function remove(path: string): Promise<string> {
  const { undo } = await dataOf(service, 'DELETE', path);
  return `/_local/v1/undo/${(undo as { readonly id: string }).id}`;
}
const post = (path: string) => dataOf(service, 'POST', path, {});
const upload = (path: string, type: string, text: string) =>
  service.request('POST', path, { raw: { type, bytes: Buffer.from(text) } });

/** How many records a window over a device shows, each time that it hears of it. */
function watched({ id, path }: Device): { readonly shown: readonly number[]; readonly stop: () => void } {
  const shown: number[] = [];
  const read = async () => {
    const { records } = await dataOf(service, 'GET', `${path}/summary?view=corrected`);
    shown.push(records as number);
  };
  const stop = window.bridge.subscribe('corrections.changed', () => void read(), { device_id: id });
  return { shown, stop };
}

/** Three devices one after the other, of which the last one shows three records of the first, and one of each other. */
async function succession() {
  const elsewhere = await projectOf('Elsewhere');
  const [first, second, third] = [
    await device('First', elsewhere),
    await device('Second'),
    await device('Third'),
  ];
  await store(first, 1, 2, 10, 40);
  await store(second, 20, 41);
  await store(third, 42);
  const { shown, stop } = watched(third);
  await replaces(third, second);
  await replaces(second, first);
  await expect.poll(() => shown.at(-1)).toBe(5);
  return { elsewhere, first, third, shows: (records: number) => shows(shown, records), stop };
}

const shows = (shown: readonly number[], records: number) => expect.poll(() => shown.at(-1)).toBe(records);

test('of records that are removed, and come back', async () => {
  const { first, shows: showsThen, stop } = await succession();
  const kept = await remove(`${first.path}/records?start=${minute(1)}&end=${minute(5)}`);
  await showsThen(3);
  await post(kept);
  await showsThen(5);
  await dataOf(service, 'DELETE', `/v2/projects/${first.project_id}/devices/${first.id}/data`);
  await showsThen(2);
  stop();
});

test('of devices and projects that are deleted, and come back', async () => {
  const { elsewhere, first, shows: showsThen, stop } = await succession();
  for (const path of [first.path, `/_local/v1/projects/${elsewhere}`]) {
    const kept = await remove(path);
    await showsThen(2);
    await post(kept);
    await showsThen(5);
  }
  stop();
});

test('of records of then that come only now, by whatever way', async () => {
  const { first, shows: showsThen, stop } = await succession();
  await store(first, 11);
  await showsThen(6);
  const csv = `timestamp,temperature\n${minute(12)},1\n`;
  await upload(`${first.path}/records`, 'text/csv', csv);
  await showsThen(7);
  const line = { timestamp: minute(13), received: minute(13), values: { temperature: 1 } };
  await upload(`${first.path}/merge`, 'application/x-ndjson', `${JSON.stringify(line)}\n`);
  await showsThen(8);
  stop();
});

test('of corrections of them', async () => {
  const { first, shows: showsThen, stop } = await succession();
  const span = { from: minute(39), to: minute(41) };
  await dataOf(service, 'POST', `${first.path}/corrections`, {
    kind: 'time',
    ...span,
    shift_us: -1_200_000_000,
  });
  await showsThen(6);
  stop();
});

test.skipIf(inDatabase)('of a backup that is restored', async () => {
  const { first, shows: showsThen, stop } = await succession();
  const file = await backupOf(service);
  await dataOf(service, 'DELETE', `/v2/projects/${first.project_id}/devices/${first.id}/data`);
  await showsThen(2);
  await restored(service, file);
  await showsThen(5);
  stop();
});
