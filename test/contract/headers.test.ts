import { afterAll, beforeAll, expect, test } from 'vitest';
import { httpOperationIds } from '#shared/operations/index.ts';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runService, type RunningService } from '../helpers/service/running-service.ts';
import { createWorld, inputOf, send, type World } from './world.ts';

/* What every response carries, whatever it is (docs/api.md, "Statuses"). */

let service: RunningService;
let world: World;
let renderer: string;
beforeAll(async () => {
  renderer = await mkdtemp(join(tmpdir(), 'fieldbench-renderer-'));
  await writeFile(join(renderer, 'index.html'), '<!doctype html><title>The app</title>');
  service = await runService({ rendererDirectory: renderer });
  world = await createWorld(service);
});
afterAll(async () => {
  await service.stop();
  await rm(renderer, { recursive: true, force: true });
});

/** CORS would let pages of other sites read; a Server header helps nobody else. */
const NEVER = ['access-control-allow-origin', 'access-control-allow-credentials', 'server', 'x-powered-by'];

function expectSafe(headers: Headers, cache: RegExp): void {
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toMatch(cache);
  for (const name of NEVER) expect([name, headers.get(name)]).toEqual([name, null]);
}

test.each(httpOperationIds)('%s: no response may be kept or sniffed, nor one without a key', async (id) => {
  for (const key of [null, service.service.api_key]) {
    // With a key on things that are not there, so that nothing is changed for the others.
    const input = key === null ? inputOf(id, world) : { ...inputOf(id, world), project_id: 'x', key_id: 'x' };
    const { status, headers } = await send(service, id, input, key);
    expectSafe(headers, /^no-store$/);
    expect(headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
  }
});

test.each([
  ['GET', '/'],
  ['GET', '/favicon.ico'],
  ['PUT', '/v2/projects'],
  ['OPTIONS', '/v2/projects'],
  ['DELETE', '/v2/projects'],
  ['GET', '/integrations/http'],
  ['POST', '/static/devices/default.svg'],
  ['GET', '/v2/%zz'],
  ['POST', '/integrations/http'],
])('%s %s is an envelope that may not be kept', async (method, path) => {
  const { status, headers, envelope } = await service.request(method, path);
  expect([401, 404]).toContain(status);
  expect(envelope).toMatchObject({ success: false, status, data: null });
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expectSafe(headers, /^no-store$/);
});

test('a HEAD has the headers of its GET', async () => {
  for (const path of ['/v2/projects', '/v2/projects/nope', '/static/devices/default.svg', '/nowhere']) {
    const [get, head] = [await service.request('GET', path), await service.request('HEAD', path)];
    expect(head.text).toBe('');
    for (const name of ['content-type', 'cache-control', 'x-content-type-options', 'content-length'])
      expect([path, name, head.headers.get(name)]).toEqual([path, name, get.headers.get(name)]);
    expect(head.status).toBe(get.status);
  }
});

test('the picture of a device may be kept, and runs nothing where it is opened', async () => {
  const { headers } = await service.request('GET', '/static/devices/default.svg', { key: null });
  expectSafe(headers, /^public, max-age=\d+$/);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('every page of the console has a policy, no frame around it and no opener', async () => {
  const link = new URL((await service.service.console_url()) ?? '');
  // By one address, as a browser does: the cookie is of its port.
  const browse = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, link), { headers, redirect: 'manual' });
  const opened = await browse(`${link.pathname}${link.search}`);
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  expect(opened.status).toBe(303);
  expectSafe(opened.headers, /^no-store$/);
  for (const [path, sent, status] of [
    ['/console/', {}, 403],
    ['/console/', { cookie }, 200],
    ['/console/nope', { cookie }, 404],
    ['/console/open?token=x', {}, 403],
  ] as const) {
    const { headers, status: got } = await browse(path, sent);
    expect([path, got]).toEqual([path, status]);
    expectSafe(headers, status === 200 ? /^no-cache$/ : /^no-store$/);
    const policy = headers.get('content-security-policy') ?? '';
    for (const rule of [
      "default-src 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ])
      expect(policy).toContain(rule);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  }
  expectSafe((await service.request('GET', '/console', { key: null })).headers, /^no-store$/);
});
