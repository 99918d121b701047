import { expect, test } from '../app.ts';
import { decoderState, makeDecoder } from '../steps/decoder-steps.ts';
import { look } from '../look.ts';
import { makeDevice, makeProject, visitDevice } from '../steps/steps.ts';

/* A device that sends bytes, and the script that says what they mean. */

test('a decoder is switched off and deleted, and both are undone', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  await makeDecoder(api, device);
  await makeDecoder(api, device, { name: 'Spare' });
  await visitDevice(page, device, 'decoder');
  const which = page.getByRole('combobox', { name: 'One of 2 decoders of this device' });
  await which.selectOption('Spare');
  await expect(decoderState(page)).toContainText('Does not decode: Another decoder of this device decodes');
  await which.selectOption('Door sensor');
  await expect(decoderState(page)).toContainText('listening');
  await page.getByRole('switch', { name: 'Switched on' }).press('Space');
  await expect(decoderState(page)).toHaveText('Switched off: what comes is not decoded');
  await page.getByRole('button', { name: /^Undo/ }).press('Enter');
  await which.selectOption('Door sensor');
  await expect(decoderState(page)).toContainText('listening');
  await page.getByRole('button', { name: 'More of the decoder' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Delete decoder' }).press('Enter');
  await expect(page.getByText('Decoder “Door sensor” deleted')).toBeVisible();
  await expect(which).toHaveCount(0);
  await page.getByRole('button', { name: /^Undo/ }).press('Enter');
  await expect(which).toBeVisible();
});

test('where nothing was decoded the chart says so, and leads to the decoder', async ({ page, api, own }) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  await makeDecoder(api, device, { condition: { payload: 'json', at: 'd', encoding: 'hex', port_at: 'p' } });
  await own('POST', '/integrations/http', { key: device.token, body: { d: '00e1', p: 7 } });
  await visitDevice(page, device);
  const empty = page.getByTestId('chart-empty');
  await expect(empty).toContainText('Bytes came, and no values');
  await look(page, 'decoder-chart-empty');
  await empty.getByRole('link', { name: 'See Decoder' }).press('Enter');
  await expect(page.getByRole('region', { name: 'Latest error' })).toContainText('port 7');
});
