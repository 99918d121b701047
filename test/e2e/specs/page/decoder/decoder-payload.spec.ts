import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { THREE_SIZES } from '../../../shot.ts';
import { decoderState, makeDecoder, MENDED, SCRIPT } from '../../../steps/decoder-steps.ts';
import { tabTo } from '../../../steps/keyboard-steps.ts';
import { dataPath, expectDone, makeDevice, makeProject, visitDevice } from '../../../steps/steps.ts';

/* A payload that is typed, decoded by a script that nobody saved; and decoders that others change. */

test('a payload is tried by keyboard alone before a decoder is saved, and its error leads to the line', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  await visitDevice(page, device, 'decoder');
  const script = page.getByRole('textbox', { name: 'Script' });
  const bytes = page.getByRole('textbox', { name: 'Bytes, hexadecimal' });
  const answer = page.getByRole('status', { name: 'What the payload says' });
  // Without a script there is nothing to be tried.
  await tabTo(page, bytes);
  await page.keyboard.insertText('00 d7');
  await page.keyboard.press('Enter');
  await expect(script).toBeFocused();
  await page.keyboard.insertText(SCRIPT);
  await page.keyboard.press('Escape');

  await tabTo(page, bytes);
  await page.keyboard.press('Enter');
  await expect(answer).toHaveText('Not decoded.');
  await tabTo(page, page.getByRole('button', { name: 'Go to line 5' }));
  await look(page, 'decoder-payload-error', THREE_SIZES);
  await page.keyboard.press('Enter');
  await expect(script).toBeFocused();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(MENDED);
  await page.keyboard.press('Escape');
  // What was found was of another script.
  await expect(answer).toHaveText('');

  await tabTo(page, bytes);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('00 d');
  await page.keyboard.press('Enter');
  await expect(bytes).toHaveAccessibleDescription('Pairs of hexadecimal digits, such as 00 d7 2d.');
  await expect(bytes).toBeFocused();
  await page.keyboard.insertText('7 2d');
  await page.keyboard.press('Tab');
  await page.keyboard.insertText('2');
  await page.keyboard.press('Enter');
  await expect(answer).toHaveText('2 values.');
  const values = page.getByRole('table', { name: 'Values of the payload' });
  await expect(values.getByRole('row')).toHaveText(['KeyValue', 'humidity45', 'temperature21.5']);
  await look(page, 'decoder-payload', THREE_SIZES);

  // Nothing is stored, and nothing saved.
  expect((await api('GET', `${dataPath(device)}?page=1&limit=10&range=all`)).data).toEqual([]);
  expect((await api('GET', `/_local/v1/projects/${device.project_id}/functions`)).data).toEqual([]);
});

test('what another window makes of a decoder is shown at once', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  const decoder = await makeDecoder(api, device);
  await visitDevice(page, device, 'decoder');
  const script = page.getByRole('textbox', { name: 'Script' });
  await expect(script).toHaveValue(SCRIPT);
  const path = `/_local/v1/projects/${device.project_id}/functions/${decoder}`;
  await expectDone(api('PATCH', path, { body: { script: MENDED, enabled: false } }));
  await expect(script).toHaveValue(MENDED);
  await expect(decoderState(page)).toHaveText('Switched off: what comes is not decoded');
  await expectDone(api('DELETE', path));
  await expect(page.getByRole('button', { name: 'Save and switch on' })).toBeVisible();
});
