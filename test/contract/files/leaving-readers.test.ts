import { get as httpGet, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WORKER_SCRIPT } from '../../helpers/service/scripts.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, type World } from '../world.ts';

/* Whoever gives up an answer is no failure of the service: nothing of it stands in the log, and its work ends. */

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService({ workerScript: WORKER_SCRIPT });
  world = await createWorld(service);
  // More than a reader gets before it leaves, in as many records as go to another thread.
  const text = 'x'.repeat(400);
  for (let batch = 0; batch < 5; batch++) {
    const body = Array.from({ length: 10_000 }, (_, n) => ({ timestamp: batch * 10_000 + n, n, text }));
    const stored = await service.request('POST', '/integrations/http', { key: world.device_token, body });
    expect(stored.status).toBe(200);
  }
});
afterAll(() => service.stop());

test.each([
  ['an export', 'records?format=csv', '/_local/v1'],
  ['a large page', 'data?page=1&limit=10000&range=all', '/v2'],
])('%s that is given up leaves nothing in the log', async (_, rest, door) => {
  const states: string[] = [];
  const stop = service.bridge.subscribe('jobs.progress', ({ state }) => states.push(state));
  const before = service.logged.length;
  for (let round = 0; round < 5; round++) {
    const request = httpGet(
      `${service.service.http_url}${door}/projects/${world.project_id}/devices/${world.device_id}/${rest}`,
      { headers: { authorization: `Bearer ${service.service.api_key}` }, agent: false },
    );
    request.on('error', () => {});
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => {});
    if (round % 2 === 0) {
      // It reads some, and leaves in the middle.
      let bytes = 0;
      for await (const piece of response as AsyncIterable<Buffer>)
        if ((bytes += piece.length) > 1_000_000) break;
    } else {
      // It reads nothing, until the service has to wait for it.
      let arrived = -1;
      const isStalled = () => arrived === (arrived = response.socket.bytesRead);
      await expect.poll(isStalled, { interval: 50, timeout: 20_000 }).toBe(true);
    }
    request.destroy();
  }
  if (door === '/_local/v1')
    await expect
      .poll(() => states.filter((state) => state === 'cancelled').length, { timeout: 20_000 })
      .toBe(5);
  // What the rounds would have written stands there by the time another answer is out.
  for (let round = 0; round < 3; round++)
    await service.request('GET', `/v2/projects/${world.project_id}/devices/${world.device_id}/data/keys`);
  stop();
  expect(service.logged.slice(before)).toEqual([]);
});
