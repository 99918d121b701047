import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inFolder, test } from '../app.ts';
import { expectDone, visit } from '../steps/steps.ts';

/* How a browser is let into the console (docs/api.md, "Access"). The desktop app's window needs no letting in. */
test.skip(({ host }) => host !== 'console', 'only the console is opened by a link');

const connected = { name: 'Connected to the service' };

test('the secret of the link stays in no address, and a reload and a fresh tab are in', async ({
  page,
  app,
}) => {
  await expect(page.getByRole('status', connected)).toBeVisible();
  expect(page.url()).not.toContain('let-in');
  await page.reload();
  await expect(page.getByRole('status', connected)).toBeVisible();
  const fresh = await page.context().newPage();
  await fresh.goto(new URL('/console/', app.ready.console_url ?? '').href);
  await expect(fresh.getByRole('status', connected)).toBeVisible();
  await fresh.close();
});

test('a browser that has the cookie alone is told how to get in', async ({ page, expectPageErrors }) => {
  expectPageErrors(/WebSocket|403/);
  await expect(page.getByRole('status', connected)).toBeVisible();
  await page.evaluate(() => window.localStorage.clear());
  await page.reload();
  await expect(
    page.getByRole('status', { name: 'The service does not know this window any more' }),
  ).toBeVisible();
  await expect(page.getByRole('alert').first()).toContainText(
    'Open the console address that the service printed',
  );
});

test('a server on another port of the host gets the cookie, and not what opens the socket', async ({
  page,
  app,
}) => {
  await expect(page.getByRole('status', connected)).toBeVisible();
  const asked: { cookie: string; url: string }[] = [];
  const other = createServer(({ headers, url }, response) => {
    asked.push({ cookie: headers.cookie ?? '', url: url ?? '' });
    response.setHeader('content-type', 'text/html').end('<title>Another</title>');
  });
  await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as { port: number };
  const tab = await page.context().newPage();
  await tab.goto(`http://127.0.0.1:${port}/console/`);
  expect(asked[0]?.cookie).toContain('fieldbench_console');
  expect(await tab.evaluate(() => JSON.stringify(window.localStorage))).toBe('{}');
  expect(JSON.stringify(asked)).not.toContain('let-in');
  await tab.close();
  await new Promise<void>((resolve) => void other.close(() => resolve()));
  // Nothing was taken from the window that is in.
  expect(new URL(page.url()).port).toBe(new URL(app.ready.console_url ?? '').port);
  await expect(page.getByRole('status', connected)).toBeVisible();
});

test('a browser that is let in while the disk is full goes on, and signs out once there is room', async ({
  page,
  own,
  dataDirectory,
  expectPageErrors,
}) => {
  test.skip(!inFolder, 'a lab keeps sessions in its database');
  expectPageErrors(/500|403|WebSocket/);
  await expect(page.getByRole('status', connected)).toBeVisible();
  // It came while there was room.
  const sessions = join(dataDirectory, 'console-sessions.journal');
  await expect.poll(() => existsSync(sessions)).toBe(true);
  const rules = [{ name: 'full', do: { disk: 'full' } }];
  await expectDone(own('PUT', '/_local/v1/faults', { body: { rules } }));
  const { stdout } = await promisify(execFile)(process.execPath, [
    'out/main/cli.js',
    'open',
    '--print',
    '--data',
    dataDirectory,
  ]);
  const context = await page.context().browser()?.newContext();
  if (!context) throw new Error('There is no browser.');
  const fresh = await context.newPage();
  const [kept] = await Promise.all([
    fresh.waitForResponse((response) => response.url().endsWith('/console/session/key'), {
      timeout: 20_000,
    }),
    fresh.goto(stdout.trim()),
  ]);
  expect(kept.status()).toBe(500);
  await expect(fresh.getByRole('status', connected)).toBeVisible();
  await expect(fresh.getByRole('heading', { level: 1 })).toBeVisible();

  // That the first one leaves has to be written down.
  await visit(page, '#/service');
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.click();
  await expect(page.getByRole('alert').filter({ hasText: 'disk is full' })).toContainText(
    'This browser is still signed in.',
  );
  await expectDone(own('DELETE', '/_local/v1/faults'));
  await signOut.click();
  await expect(page.getByRole('heading', { name: 'This link no longer opens Fieldbench' })).toBeVisible();
  await expect(fresh.getByRole('status', connected)).toBeVisible();
  await context.close();
});
