import { expect, test } from '../../app.ts';
import { dataPath, makeDevice, makeProject, visitDevice } from '../../steps.ts';

test('who does not want the file after all is not told that there is one', async ({ page, api, host }) => {
  test.skip(host === 'electron', 'its question where to save waits for a person');
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await api('POST', `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/records`, {
    body: 'timestamp,bar\n2026-01-05T08:00:00.000000Z,1.5\n',
    type: 'text/csv',
  });
  await visitDevice(page, device);
  expect((await api('GET', `${dataPath(device)}?page=1&limit=1&range=all`)).data).toHaveLength(1);
  const browser = page.context().browser();
  const session = await browser?.newBrowserCDPSession();
  await session?.send('Browser.setDownloadBehavior', { behavior: 'deny' });
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog');
  const exportIt = dialog.getByRole('button', { name: 'Export', exact: true });
  await exportIt.click();
  // The dialog stays for another try, and nothing says that something was exported.
  await expect(exportIt).toBeEnabled();
  await expect(dialog.getByRole('progressbar')).toBeHidden();
  await expect(page.getByText('records in Compressor')).toBeHidden();
  await expect(page.getByText('1 record in')).toBeHidden();
});
