import { createHash } from 'node:crypto';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* Many exports of one service at once: they take turns, all come whole, and who does not read holds nobody up. */

/** More than take turns at once (service.ts). */
const STALLED = 6;

/** A busy machine takes its time. */
const PATIENT = { timeout: 20_000 };

let service: RunningService;
let world: World;
/** Of the whole export. */
let digest: string;

beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT }, { isAlone: true });
  world = await createWorld(service);
  // More than the buffers of a connection hold.
  const text = 'x'.repeat(400);
  for (let batch = 0; batch < 5; batch++) {
    const body = Array.from({ length: 10_000 }, (_, n) => ({ timestamp: batch * 10_000 + n, n, text }));
    await service.request('POST', '/integrations/http', { key: world.device_token, body });
  }
  digest = await digestOf(await begin());
});
afterAll(() => service.stop());

const path = () => `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/records`;

function ask() {
  const request = httpGet(`${service.service.http_url}${path()}`, {
    headers: { authorization: `Bearer ${service.service.api_key}` },
    agent: false,
  });
  request.on('error', () => {});
  return request;
}

/** An export whose first bytes have come and wait to be read. */
async function begin(): Promise<IncomingMessage> {
  const [response] = (await once(ask(), 'response')) as [IncomingMessage];
  return response;
}

async function digestOf(response: IncomingMessage): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of response as AsyncIterable<Buffer>) hash.update(piece);
  return hash.digest('hex');
}

test('more than may run all come whole, and others are answered meanwhile', async () => {
  const states = new Map<string, string>();
  const stop = service.bridge.subscribe('jobs.progress', ({ id, state }) => states.set(id, state));
  const exports = Array.from({ length: 8 }, async () => digestOf(await begin()));
  const page = await service.request('GET', `/v2/projects/${world.project_id}/devices`);
  expect(page.status).toBe(200);
  expect(new Set(await Promise.all(exports))).toEqual(new Set([digest]));
  await expect.poll(() => [...states.values()], PATIENT).toEqual(Array.from({ length: 8 }, () => 'done'));
  stop();
});

test('readers that do not read let others pass, and get the rest when they do', async () => {
  const stalled = await Promise.all(Array.from({ length: STALLED - 2 }, begin));
  const waiting = Array.from({ length: 2 }, begin);
  // All turns are taken by readers that take nothing; this one waits behind two more.
  expect(await digestOf(await begin())).toBe(digest);
  const all = [...stalled, ...(await Promise.all(waiting))];
  expect(new Set(await Promise.all(all.map(digestOf)))).toEqual(new Set([digest]));
});

test('who leaves while waiting for a turn leaves no trace', async () => {
  const states = new Map<string, string>();
  const stop = service.bridge.subscribe('jobs.progress', ({ id, state }) => states.set(id, state));
  const stalled = await Promise.all(Array.from({ length: STALLED - 2 }, begin));
  const theirs = new Set(states.keys());
  const before = service.logged.length;
  const left = Array.from({ length: 5 }, ask);
  const expectOthers = (state: string) =>
    expect
      .poll(() => [...states].filter(([id]) => !theirs.has(id)).map(([, now]) => now), PATIENT)
      .toEqual(Array.from({ length: 5 }, () => state));
  await expectOthers('running');
  for (const request of left) request.destroy();
  await expectOthers('cancelled');
  for (const response of stalled) response.destroy();
  expect(await digestOf(await begin())).toBe(digest);
  stop();
  expect(service.logged.slice(before)).toEqual([]);
});
