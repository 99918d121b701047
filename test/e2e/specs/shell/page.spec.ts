import { expect, test } from '../../app.ts';

test('the page has the service’s port, and nothing of Node or Electron', async ({ page }) => {
  const seen = await page.evaluate(() => ({
    port: Object.keys((window as unknown as { fieldbench: object }).fieldbench),
    node: [typeof globalThis['require' as never], typeof globalThis['process' as never]],
    secure: isSecureContext,
  }));
  expect(seen).toEqual({ port: ['post', 'listen'], node: ['undefined', 'undefined'], secure: true });
});

test('the page cannot leave, open windows, reach the network or get a device', async ({
  page,
  expectPageErrors,
}) => {
  const home = page.url();
  expectPageErrors(/Content Security Policy/);
  const refused = await page.evaluate(async () => {
    window.open('https://example.com/popup');
    location.href = 'https://example.com/elsewhere';
    const frame = document.body.appendChild(document.createElement('iframe'));
    frame.src = 'https://example.com/frame';
    return {
      network: await fetch('https://example.com/').then(String, ({ name }: Error) => name),
      location: (await navigator.permissions.query({ name: 'geolocation' })).state,
      notifications: Notification.permission,
    };
  });
  expect(refused).toEqual({ network: 'TypeError', location: 'denied', notifications: 'denied' });
  await expect(page.getByRole('banner')).toBeVisible();
  expect(page.url()).toBe(home);
  // What was opened is refused by being closed again.
  await expect.poll(() => page.context().pages().length).toBe(1);
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
    await expect(page.getByText('Boiler room')).toBeVisible();
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
