import { expect, test } from '../../app.ts';
import { makeDevice, makeProject, visitDevice } from '../../steps/steps.ts';

test('a file to import is asked for by the page’s own input: other pickers hang in some folders of Electron', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await visitDevice(page, device);
  const asked = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Import…' }).click();
  const chooser = await asked;
  expect(await chooser.element().getAttribute('type')).toBe('file');
});
