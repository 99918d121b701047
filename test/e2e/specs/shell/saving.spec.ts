import { randomBytes } from 'node:crypto';
import { expect, inFolder, test } from '../../app.ts';
import { dataPath, makeDevice, makeProject, store, visit, visitDevice } from '../../steps/steps.ts';

test('who does not want the file after all is not told that there is one', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await store(api, device, [{ timestamp: '2026-01-05T08:00:00Z', bar: 1.5 }]);
  await visitDevice(page, device);
  expect((await api('GET', `${dataPath(device)}?page=1&limit=1&range=all`)).data).toHaveLength(1);
  const browser = page.context().browser();
  const session = await browser?.newBrowserCDPSession();
  await session?.send('Browser.setDownloadBehavior', { behavior: 'deny' });
  await page.getByRole('button', { name: 'Export…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // It was a job until then: had it been done, there would be a row of it. Nothing says that something was exported.
  await expect(page.getByRole('button', { name: /^Jobs/ })).toHaveCount(0);
  await expect(page.getByText('Exported')).toBeHidden();
  await expect(page.getByText('1 record in')).toBeHidden();
});

test('who does not want the backup after all ends it', async ({ page, api }) => {
  test.skip(!inFolder, 'what lies in a database is backed up by its own means');
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  // Far more than may be under way: it can only end where it is cancelled.
  for (let part = 0; part < 4; part++)
    await store(
      api,
      device,
      Array.from({ length: 100 }, () => ({ log: randomBytes(40_000).toString('base64') })),
    );
  const session = await page.context().browser()?.newBrowserCDPSession();
  await session?.send('Browser.setDownloadBehavior', { behavior: 'deny' });
  await visit(page, '#/service/storage');
  const begun = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Back up', exact: true }).click();
  await begun;
  await expect(page.getByRole('button', { name: /^Jobs/ })).toHaveCount(0);
  await expect(page.getByText('Backed up')).toBeHidden();
  const jobs = await api('GET', '/_local/v1/jobs');
  expect(jobs.data).toEqual([]);
});

test.describe('on a stick that is full', () => {
  test.beforeAll(() => void (process.env['FIELDBENCH_STAND_IN'] = 'full-disk'));
  test.afterAll(() => void delete process.env['FIELDBENCH_STAND_IN']);

  test('who saves a file is told that it could not be saved, and why that may be', async ({
    page,
    api,
    host,
  }) => {
    test.skip(host !== 'stand-in', 'a disk that is full by a switch');
    const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
    await store(api, device, [{ timestamp: '2026-01-05T08:00:00Z', bar: 1.5 }]);
    await visitDevice(page, device);
    await page.getByRole('button', { name: 'Export…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
    await expect(page.getByText('The file could not be saved. Is there room').first()).toBeVisible();
  });
});
