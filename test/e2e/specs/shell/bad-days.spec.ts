import { once } from 'node:events';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '../../app.ts';
import { left, start, WHEN_ASKED, WITH_ELECTRON } from '../../steps/stand-in-steps.ts';

/* What befalls an app that runs for months. In Electron a question waits for a person; the stand-in answers by itself. */
test.skip(({ host }) => host !== 'stand-in', 'a question waits for a person');

test('an installed app starts with switches of launchers and Chromium among its own', async ({ files }) => {
  const app = start(files, {
    env: { FIELDBENCH_STAND_IN: 'packaged' },
    flags: ['--no-sandbox', '--ozone-platform=x11', '--updated'],
  });
  await app.ready(files.readyFile);
  await app.stop();
  const typo = start(files, { env: { FIELDBENCH_STAND_IN: 'packaged' }, flags: ['--prot', '7444'] });
  expect(await typo.end).toBe('1');
  expect(typo.output()).toContain("'--prot'");
});

test('an error that nobody caught closes the service, is logged, and the folder is free again', async ({
  files,
}) => {
  const app = start(files, { more: WHEN_ASKED("throw new Error('unforeseen')") });
  await app.ready(files.readyFile);
  app.signal('SIGUSR2');
  expect(await app.end, app.output()).toBe('1');
  expect(app.output()).toMatch(/Fieldbench has to stop\nunforeseen/);
  expect(existsSync(files.readyFile)).toBe(false);
  const [log = ''] = globSync(join(files.config, '*', '*', 'logs', 'fieldbench-*.log'));
  expect(readFileSync(log, 'utf8')).toMatch(/starts over .*[^]*Error: unforeseen\n +at /);
  const again = start(files);
  await again.ready(files.readyFile);
  await again.stop();
});

test('the app outlives the terminal that started it', async ({ files }) => {
  const app = start(files, { more: WHEN_ASKED("process.stderr.write('still here\\n')") });
  const { http_url, api_key } = await app.ready(files.readyFile);
  app.stopReading();
  for (let n = 0; n < 3; n++) {
    app.signal('SIGUSR2');
    const response = await fetch(`${http_url}/v2/projects`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    expect(response.status).toBe(200);
  }
  await app.stop();
});

test('a start while the last one ends is not lost: the app comes back with its words', async ({ files }) => {
  const app = start(files);
  const { http_url, api_key } = await app.ready(files.readyFile);
  // A request under way, which the service waits for.
  const { hostname, port } = new URL(http_url ?? '');
  const device = connect(Number(port), hostname);
  await once(device, 'connect');
  device.on('error', () => undefined);
  device.write(
    `POST /_local/v1/projects HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${api_key}\r\n` +
      'content-type: application/json\r\ncontent-length: 100\r\n\r\n{',
  );
  await expect(async () => {
    const response = await fetch(`${http_url}/v2/projects`, {
      headers: { authorization: `Bearer ${api_key}` },
    });
    expect(response.status).toBe(200);
  }).toPass();
  app.signal('SIGTERM');
  // At once: the end waits for the request for three seconds, and a start takes some of them.
  const second = start(files, { flags: ['--strict'] });
  expect(await second.end, second.output()).toBe('0');
  expect(await app.end, app.output()).toBe('0');
  expect(app.output()).toMatch(/would start again with .*"--strict"/);
  device.destroy();
});

test('a signal that comes again and again is one quit, which closes the service', async ({ files }) => {
  const app = start(files);
  await app.ready(files.readyFile);
  // What Electron sets up by itself lets the second one end the process.
  const again = setInterval(() => app.signal('SIGHUP'), 5);
  const end = await app.end;
  clearInterval(again);
  expect(end, app.output()).toBe('0');
  expect(left(files)).toEqual([]);
});

test('an app that waits for a keychain to be unlocked quits when it is asked to', async ({ files }) => {
  const keychain = pathToFileURL(resolve('test/fixtures/silent-keychain.mjs')).href;
  const app = start(files, {
    more: `await import('${keychain}')`,
    flags: ['--vault', 'keychain'],
  });
  await expect(() => expect(app.output()).toContain('the keychain was asked')).toPass();
  app.signal('SIGTERM');
  expect(await app.end, app.output()).toBe('0');
  expect(app.output()).not.toMatch(/cannot start|was not closed/);
  expect(left(files)).toEqual([]);
});

test('a machine that shuts down waits until the service is closed', async ({ files }) => {
  const app = start(files, {
    more: WITH_ELECTRON('console.log(`waits: ${electron.powerMonitor.prepareForShutdown()}`);'),
  });
  await app.ready(files.readyFile);
  app.signal('SIGUSR2');
  expect(await app.end, app.output()).toBe('0');
  expect(app.output()).toContain('waits: true');
  expect(left(files)).toEqual([]);
});

for (const event of ['query-session-end', 'session-end'])
  test(`a session of Windows that ends closes the service (${event})`, async ({ files }) => {
    const app = start(files, {
      more: WITH_ELECTRON(
        `electron.BrowserWindow.getAllWindows()[0].emit('${event}', { preventDefault() {} });`,
      ),
    });
    await app.ready(files.readyFile);
    app.signal('SIGUSR2');
    expect(await app.end, app.output()).toBe('0');
    expect(left(files)).toEqual([]);
  });

/** Crashes the window's page, and tells whether one asks the service for anything afterwards. */
const CRASH = WITH_ELECTRON(
  `const [{ webContents }] = electron.BrowserWindow.getAllWindows();
  webContents.once('render-process-gone', () => webContents.ipc.on('fieldbench', () => console.log('a page asks')));
  webContents.forcefullyCrashRenderer();`,
);

test('a page that crashed is opened again, and the service goes on', async ({ files }) => {
  const app = start(files, { more: CRASH });
  const { http_url, api_key } = await app.ready(files.readyFile);
  app.signal('SIGUSR2');
  await expect(() => expect(app.output()).toContain('a page asks')).toPass();
  expect(app.output()).toMatch(/The window stopped working\.[^]*→ Open it again/);
  const headers = { authorization: `Bearer ${api_key}` };
  expect((await fetch(`${http_url}/v2/projects`, { headers })).status).toBe(200);
  await app.stop();
});

test('who does not want the window again after a crash ends the app', async ({ files }) => {
  const app = start(files, { more: CRASH, env: { FIELDBENCH_STAND_IN: 'other-button' } });
  await app.ready(files.readyFile);
  app.signal('SIGUSR2');
  expect(await app.end, app.output()).toBe('0');
  expect(app.output()).toMatch(/The window stopped working\.[^]*→ Quit/);
  expect(left(files)).toEqual([]);
});

/** Says of each connection and datagram of the main thread where it goes. */
const WATCH_NETWORK = `
  import { Socket } from 'node:net';
  import { Socket as Datagrams } from 'node:dgram';
  const tell = (name, of) => {
    const act = of.prototype[name];
    of.prototype[name] = function (...args) {
      process.stderr.write('goes to ' + JSON.stringify(args, (_, held) => typeof held === 'function' ? null : held) + '\\n');
      return act.apply(this, args);
    };
  };
  tell('connect', Socket);
  tell('send', Datagrams);`;

test('a service that takes data keeps the machine awake, and reaches for no other one', async ({ files }) => {
  const app = start(files, { more: WATCH_NETWORK });
  const { http_url, api_key } = await app.ready(files.readyFile);
  const headers = { authorization: `Bearer ${api_key}` };
  expect((await fetch(`${http_url}/v2/projects`, { headers })).status).toBe(200);
  await app.stop();
  expect(app.output()).toContain('would prevent-app-suspension');
  expect(app.output()).not.toContain('goes to');
});
