import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-stand-in-'));
});
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.closeAllConnections();
  for (const server of servers) server.close();
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs an app on the stand-in. `seen` is the JSON that the fixture prints. */
function run(main: string, ...args: string[]) {
  const child = spawn(process.execPath, [path('./run.ts'), main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
  const said = async (word: string) => {
    while (!stderr.includes(word)) await once(child.stderr, 'data');
  };
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: (code ?? signal) as number | string,
    stderr,
    seen: (stdout === '' ? {} : JSON.parse(stdout)) as Record<string, unknown>,
  }));
  return { child, ended, waiting: said('waiting'), said };
}

/** A server that answers every page, if one gets through to it. */
async function loopback() {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests: () => requests };
}

test('an app and its page see each other only through what the preload exposes', async () => {
  const server = await loopback();
  const { code, seen, stderr } = await run(
    path('./fixture/main.js'),
    join(folder, 'walls'),
    'walls',
    server.url,
  ).ended;
  expect(stderr).toBe('Error sending from webFrameMain: Error: An object could not be cloned.\nwill-quit\n');
  expect([code, server.requests()]).toEqual([0, 0]);
  const { page, ...main } = seen;
  expect(main).toEqual({
    mode: 'walls',
    nowhere: "Failed to set 'userData' path: /nowhere/at/all does not exist",
    late: 'protocol.registerSchemesAsPrivileged should be called before app is ready',
    secondName: "Window name 'main' is already in use",
    sender: `app://fixture/?probe=${encodeURIComponent(server.url)}`,
    types: ['Float64Array', 'Undefined', 'Object', 'Object', 'String'].map((type) => `[object ${type}]`),
    opened: 'https://example.com/popup',
    navigated: [`app://fixture/?probe=${encodeURIComponent(server.url)}`, 'https://example.com/elsewhere'],
    // Electron logs it.
    sendFunction: null,
  });
  expect(page).toEqual({
    // The preload has contextBridge and ipcRenderer; the page has neither its globals nor its way out.
    preload: {
      fs: 'module not found: node:fs',
      process: 'undefined',
      page: 'undefined',
      keys: ['contextBridge', 'ipcRenderer'],
    },
    preloadGlobal: 'undefined',
    binding: 'undefined',
    frozen: true,
    replaced: expect.objectContaining({ name: 'TypeError' }),
    number: true,
    samples: true,
    thrown: { name: 'Error', message: 'out of range', code: null },
    sendFunction: { name: 'Error', message: 'An object could not be cloned.', code: null },
    // The page has an origin of its own, the app's content security policy, and no permission that it was not given.
    secure: true,
    eval: 'EvalError',
    network: 'connect-src',
    copied: 'NotAllowedError',
    echo: { array: true, nothing: true, nested: true, sample: [false, 1, null], surrogate: true },
    invoked: { message: "Error invoking remote method 'fail': TypeError: too long", code: null },
    unhandled: {
      message: "Error invoking remote method 'nothing': Error: No handler registered for 'nothing'",
      code: null,
    },
  });
});

test('nothing but its policy keeps a page from a server on this machine', async () => {
  const server = await loopback();
  const { seen } = await run(path('./fixture/main.js'), join(folder, 'open'), 'open', server.url).ended;
  expect(seen['page']).toMatchObject({ network: 'reached' });
  expect(server.requests()).toBe(1);
});

test('an error that nobody caught is shown, and the app lives on', async () => {
  const { code, seen, stderr } = await run(path('./fixture/main.js'), join(folder, 'errors'), 'errors').ended;
  expect([code, seen['lived']]).toEqual([0, true]);
  expect(stderr).toMatch(/A JavaScript error occurred in the main process\nError: nobody caught this/);
  expect(stderr).toMatch(/UnhandledPromiseRejectionWarning\nError: nor this/);
});

test('a second signal is the system’s, which ends the app at once', async () => {
  const { child, ended, waiting, said } = run(path('./fixture/main.js'), join(folder, 'signals'), 'stubborn');
  await waiting;
  child.kill('SIGTERM');
  await said('will-quit');
  child.kill('SIGTERM');
  expect((await ended).code).toBe('SIGTERM');
});

test('a second instance is told so, and the first one hears of it', async () => {
  const userData = join(folder, 'lock');
  const first = run(path('./fixture/main.js'), userData, 'lock');
  await first.waiting;
  const second = run(path('./fixture/main.js'), userData, 'lock', 'more');
  expect((await second.ended).seen).toMatchObject({ lock: false });
  const { seen, code } = await first.ended;
  expect(code).toBe(0);
  // Sorted, and with a switch of Chromium's: only what was given with the lock is exact.
  expect(seen['argv']).toEqual([
    ...[process.execPath, path('./fixture/main.js'), userData, 'lock', 'more'].toSorted(),
    '--allow-file-access-from-files',
  ]);
  expect(seen['data']).toEqual({ from: second.child.pid });
  // The lock goes with the process, so that the next one gets it.
  const third = run(path('./fixture/main.js'), userData, 'lock');
  await third.waiting;
  third.child.kill('SIGTERM');
  expect(await third.ended).toMatchObject({ code: 0, stderr: expect.stringContaining('will-quit') });
});

test('a main script that awaits whenReady at its top never gets there (electron 40719)', async () => {
  const script = join(folder, 'main.mjs');
  await writeFile(join(folder, 'package.json'), '{ "name": "x", "version": "0.0.0" }');
  await writeFile(script, "import { app } from 'electron'; await app.whenReady(); console.log('{}');");
  const { code, seen, stderr } = await run(script).ended;
  expect(code).toBe(13);
  expect(seen).toEqual({});
  expect(stderr).toContain('unsettled top-level await');
});

test('what the stand-in lacks fails where it is imported', async () => {
  const script = join(folder, 'more.mjs');
  await writeFile(script, "import { autoUpdater } from 'electron'; autoUpdater.on('x', () => {});");
  const { code, stderr } = await run(script).ended;
  expect(code).toBe(1);
  expect(stderr).toContain("does not provide an export named 'autoUpdater'");
});
