import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '../../app.ts';

test('the page has the service’s port, and nothing of Node or Electron', async ({ page }) => {
  const seen = await page.evaluate(() => ({
    port: Object.keys((window as unknown as { fieldbench: object }).fieldbench),
    node: [typeof globalThis['require' as never], typeof globalThis['process' as never]],
    secure: isSecureContext,
  }));
  expect(seen).toEqual({
    port: ['post', 'listen', 'listenSaved', 'reload', 'setTheme', 'listenFiles', 'listenUndo', 'openWindow'],
    node: ['undefined', 'undefined'],
    secure: true,
  });
});

test('the page cannot leave, open windows or get a device, and goes on as before', async ({
  page,
  api,
  expectPageErrors,
}) => {
  const home = page.url();
  expectPageErrors(/Content Security Policy/);
  const refused = await page.evaluate(async () => {
    window.open('https://example.com/popup');
    location.href = 'https://example.com/elsewhere';
    location.reload();
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.src = 'https://example.com/frame';
    return {
      location: (await navigator.permissions.query({ name: 'geolocation' })).state,
      notifications: Notification.permission,
    };
  });
  expect(refused).toEqual({ location: 'denied', notifications: 'denied' });
  await expect(page.getByRole('banner')).toBeVisible();
  expect(page.url()).toBe(home);
  // What was opened is refused by being closed again.
  await expect.poll(() => page.context().pages().length).toBe(1);
  // It still hears what happens, and is heard.
  await api('POST', '/_local/v1/projects', { body: { name: 'Made meanwhile', description: '' } });
  await expect(page.getByRole('link', { name: 'Made meanwhile' })).toBeVisible();
});

test('the right mouse button in a field offers what the clipboard can do', async ({ page, app, host }) => {
  test.skip(host !== 'stand-in', 'a menu of the system is seen by a person alone');
  await page.getByRole('banner').click({ button: 'right' });
  await page
    .getByPlaceholder(/Filter/)
    .first()
    .click({ button: 'right' });
  await expect(() => expect(app.output?.()).toContain('a menu: cut, copy, paste, selectAll')).toPass();
  expect(app.output?.().match(/a menu:/g)).toHaveLength(1);
});

test('its policy alone keeps the page from a server that is in reach, and nothing else is asked for', async ({
  page,
  expectPageErrors,
}) => {
  expectPageErrors(/Content Security Policy/);
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.setHeader('access-control-allow-origin', '*').end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(request.url()));
  const refusal = await page.evaluate(async (target) => {
    const violation = new Promise<string>((resolve) => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
        if (blockedURI === target) resolve(effectiveDirective);
      });
    });
    return fetch(target).then(
      () => 'reached',
      () => violation,
    );
  }, url);
  expect(refusal).toBe('connect-src');
  await page.reload();
  await expect(page.getByRole('banner')).toBeVisible();
  // Text to check the spelling of, in any language.
  await page.keyboard.press('Control+k');
  await page.keyboard.type('Kesselraum boiler chaudière');
  const home = new URL(page.url()).host;
  expect(asked.filter((one) => one !== url && new URL(one).host !== home)).toEqual([]);
  expect(requests).toBe(0);
  server.closeAllConnections();
  server.close();
});

test('the page may put text on the clipboard', async ({ page }) => {
  expect(
    await page.evaluate(() => navigator.clipboard.writeText('a token').then(() => 'copied', String)),
  ).toBe('copied');
});

test('a page that is loaded anew reaches the service again', async ({ page, api }) => {
  await api('POST', '/_local/v1/projects', { body: { name: 'Boiler room', description: '' } });
  for (const _ of [1, 2]) {
    await page.reload();
    await expect(page.getByRole('link', { name: 'Boiler room' })).toBeVisible();
  }
});

test('files of the app are all that its scheme serves', async ({ page, expectPageErrors }) => {
  expectPageErrors(/404/);
  const statuses = await page.evaluate(async () => {
    const paths = [
      './',
      './..%2f..%2fmain/main.js',
      './..%5c..%5cmain%5cmain.js',
      './%zz',
      './assets',
      './%00',
    ];
    return Promise.all(paths.map(async (path) => (await fetch(path)).status));
  });
  expect(statuses).toEqual([200, 404, 404, 404, 404, 404]);
});

test('a part of the app that could not be read is tried again by its button, which says what failed', async ({
  page,
  expectPageErrors,
}) => {
  expectPageErrors(/ERR_FAILED|Failed to fetch|could not be read/);
  let isShut = true;
  await page.route(/assets\/rest-/, (route) => (isShut ? route.abort() : route.continue()));
  await page.reload();
  // Of the parts that miss their file, one says so: of the frame, then of the screen.
  const said = page.getByText('could not be read from this computer’s disk').filter({ visible: true });
  await expect(said).toHaveCount(1);
  await page.getByRole('link', { name: 'Other services' }).click();
  await expect.poll(() => said.evaluate((text) => text.getBoundingClientRect().top)).toBeLessThan(200);
  isShut = false;
  const again = page.getByRole('button', { name: 'Try again' });
  // A long reason beside it leaves its words whole.
  const hidden = await again.getByText('Try again').evaluate((text) => text.scrollWidth - text.clientWidth);
  expect(hidden).toBe(0);
  await again.click();
  await expect(page.getByRole('heading', { name: 'Other services', level: 1 })).toBeVisible();
});
