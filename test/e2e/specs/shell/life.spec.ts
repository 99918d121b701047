import { existsSync } from 'node:fs';
import { expect, test } from '../../app.ts';
import { startProgram } from '../../program.ts';

test('a second start over the same folder leaves the first one as it is', async ({ page, app, api }) => {
  const second = startProgram(app.command, app.env);
  expect(await second.end, second.output()).toBe('0');
  expect(second.output()).toMatch(
    /runs already over .*: its window comes up\. It goes on as it was started, without .*--ready-file, /,
  );
  await expect(page.getByRole('banner')).toBeVisible();
  expect((await api('GET', '/v2/projects')).status).toBe(200);
});

test('closing the window ends the app and its service', async ({ page, app, api, files }) => {
  test.skip(process.platform === 'darwin', 'on a Mac the app lives on');
  const url = app.ready.http_url ?? '';
  expect((await api('GET', '/v2/projects')).status).toBe(200);
  await page.close();
  await expect(() => expect(fetch(url)).rejects.toThrow()).toPass();
  await expect.poll(() => existsSync(files.readyFile)).toBe(false);
});

test('what was stored before the app ended is there when it starts again', async ({ api, app, files }) => {
  await api('POST', '/_local/v1/projects', { body: { name: 'Kept', description: '' } });
  await app.stop();
  const again = startProgram(app.command, app.env);
  const ready = await again.ready(files.readyFile);
  const response = await fetch(`${ready.http_url}/v2/projects`, {
    headers: { authorization: `Bearer ${ready.api_key}` },
  });
  expect(await response.json()).toMatchObject({ data: [{ name: 'Kept' }] });
  await again.stop();
});
