import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpOperationIds, operationOf } from '#shared/operations/index.ts';
import { fillPath } from '#shared/schema/path-parameters.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, inputOf, type World } from '../../contract/world.ts';

/* HEAD is GET without its body (RFC 9110, 9.3.2), for whoever looks before they ask. */

let service: RunningService;
let world: World;
beforeAll(async () => {
  service = await runService({ rendererDirectory: import.meta.dirname });
  world = await createWorld(service);
});
afterAll(() => service.stop());

/** Each GET of the table, right as it is. */
function addresses(): string[] {
  return httpOperationIds
    .filter((id) => operationOf(id).method === 'GET')
    .map((id) => {
      const input = new Map(Object.entries(inputOf(id, world) as Record<string, string>));
      const path = fillPath(operationOf(id).path, (name) => {
        const value = input.get(name) ?? '';
        input.delete(name);
        return value;
      });
      return `${path}?${new URLSearchParams([...input]).toString()}`;
    });
}

/** The answer's own headers, without those of its time and its connection. */
const lasting = (headers: Headers) =>
  Object.fromEntries(
    [...headers].filter(
      ([name]) => !['date', 'transfer-encoding', 'connection', 'keep-alive'].includes(name),
    ),
  );

async function expectSame(path: string, key?: string | null): Promise<number> {
  const options = key === undefined ? {} : { key };
  const got = await service.request('GET', path, options);
  const { status, text, headers } = await service.request('HEAD', path, options);
  expect([path, status, text]).toEqual([path, got.status, '']);
  expect([path, lasting(headers)]).toEqual([path, lasting(got.headers)]);
  return got.status;
}

test('answers as every GET does, its length included', async () => {
  for (const path of addresses()) {
    // What is free on the disk, and so the length, may change between two requests.
    if (path.startsWith('/_local/v1/status')) continue;
    expect(await expectSame(path)).toBe(200);
  }
  const { status } = await service.request('HEAD', '/_local/v1/status');
  expect(status).toBe(200);
});

test('is refused as every GET is', async () => {
  for (const path of addresses()) expect(await expectSame(path, null)).toBe(401);
  expect(await expectSame(`/v2/projects/${world.project_id}/devices/nope`)).toBe(404);
  expect(await expectSame('/v2/nowhere')).toBe(404);
  expect(await expectSame('/integrations/http')).toBe(404);
});

test('is there for the avatar and the console as well', async () => {
  expect(await expectSame('/static/devices/default.svg', null)).toBe(200);
  expect(await expectSame('/console', null)).toBe(303);
  expect(await expectSame('/console/', null)).toBe(403);
});

test('does not use up the link that opens the console', async () => {
  const { pathname, search } = new URL((await service.service.console_url()) ?? '');
  const link = pathname + search;
  for (let look = 0; look < 2; look++) {
    const { status, headers } = await service.request('HEAD', link, { key: null });
    expect([status, headers.get('set-cookie')]).toEqual([303, null]);
  }
  const opened = await service.request('GET', link, { key: null });
  expect(opened.headers.get('set-cookie')).toContain('fieldbench_console');
  expect((await service.request('HEAD', link, { key: null })).status).toBe(403);
});

test('does not write an export that nobody gets', async () => {
  const jobs: unknown[] = [];
  service.bridge.subscribe('jobs.progress', (job) => jobs.push(job));
  const input = inputOf('records.export', world) as Record<string, string>;
  const path = fillPath(operationOf('records.export').path, (name) => input[name] ?? '');
  expect((await service.request('HEAD', path)).status).toBe(200);
  expect(jobs).toEqual([]);
  expect((await service.request('GET', path)).text.split('\n')).toHaveLength(4);
  await expect.poll(() => jobs.length, { timeout: 20_000 }).toBeGreaterThan(0);
});
