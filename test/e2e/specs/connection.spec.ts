import { expect, shot, test } from '../app.ts';
import { startProgram } from '../program.ts';
import { makeProject } from '../steps.ts';

/* The console outlives its service, and says what to do. The desktop app's window and service end together. */
test.skip(({ host }) => host !== 'console', 'only the console’s service is a program of its own');

test('a service that stops and comes back leaves no one guessing', async ({
  page,
  api,
  app,
  files,
  expectPageErrors,
}) => {
  expectPageErrors(/ERR_CONNECTION|WebSocket|403/);
  await makeProject(api, 'Boiler room');
  await expect(page.getByRole('link', { name: 'Boiler room' })).toBeVisible();
  const { ready, command } = app;
  process.kill(ready.pid, 'SIGTERM');
  const banner = page.getByRole('alert');
  await expect(banner).toContainText('The service cannot be reached, trying again.');
  await expect(page.getByRole('status')).toHaveAccessibleName(/lost/);
  // What was read stays readable; what would be changed says why it cannot be.
  await expect(page.getByRole('link', { name: 'Boiler room' })).toBeVisible();
  await shot(page, 'connection-lost');

  const ports = [new URL(ready.base_url).port, new URL(ready.http_url ?? '').port];
  const again = startProgram([...command, '--port', ports[0] ?? '', '--http-port', ports[1] ?? '']);
  const back = await again.ready(files.readyFile);
  await expect(banner).toContainText('Open the console address that it printed');
  await shot(page, 'connection-signed-out');

  const other = await page.context().newPage();
  await other.goto(back.console_url ?? '');
  await expect(other.getByRole('link', { name: 'Boiler room' })).toBeVisible();
  await expect(banner).toBeHidden();
  await page.getByRole('link', { name: 'Boiler room' }).click();
  await expect(page.getByText('No devices yet')).toBeVisible();
  await again.stop();
});
