import type { Page } from '@playwright/test';
import { expect, picture, test } from '../../../app.ts';
import {
  decoderState,
  makeDecoder,
  MENDED,
  SCRIPT,
  scriptFile,
  sendHex,
} from '../../../steps/decoder-steps.ts';
import { dropFile } from '../../../files.ts';
import { tabTo } from '../../../steps/keyboard-steps.ts';
import { look } from '../../../look.ts';
import { THREE_SIZES } from '../../../shot.ts';
import { expectChart, makeDevice, makeProject, visitDevice } from '../../../steps/steps.ts';

/* A device that sends bytes, and the script that says what they mean. */

test('a decoder is added by dropping its file, decodes what comes, and a payload that fails is seen with its error', async ({
  page,
  api,
  own,
  dataDirectory,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  await visitDevice(page, device);
  // A device that sends values has no such tab; the way there is where the device is connected.
  await expect(page.getByRole('tab', { name: 'Decoder' })).toHaveCount(0);
  await page.getByRole('tab', { name: 'Connect' }).press('Enter');
  await page.getByRole('link', { name: 'Add its decoder' }).press('Enter');
  await expect(page.getByRole('tab', { name: 'Decoder', selected: true })).toBeVisible();
  await look(page, 'decoder-empty', THREE_SIZES);
  // Nothing is saved without a script.
  await page.getByRole('button', { name: 'Save and switch on' }).press('Enter');
  const script = page.getByRole('textbox', { name: 'Script' });
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(script).toHaveAccessibleDescription(/The script is missing: paste it, or drop its file\./);

  await dropFile(page, await scriptFile(dataDirectory, 'ds-3604.js'));
  await expect(script).toHaveValue(SCRIPT);
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('ds-3604');
  await page.getByRole('combobox', { name: 'How the device sends' }).selectOption('hex');
  await look(page, 'decoder-new', THREE_SIZES);
  // What is not saved is there still when one has looked elsewhere.
  await page.getByRole('tab', { name: 'Keys' }).press('Enter');
  await page.getByRole('tab', { name: 'Decoder' }).press('Enter');
  await expect(script).toHaveValue(SCRIPT);
  await page.getByRole('button', { name: 'Save and switch on' }).press('Enter');
  await expect(page.getByText('Decoder “ds-3604” added')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
  await expect(decoderState(page)).toHaveText('Decodes: listening for the first payload…');

  await sendHex(own, device, '00 d7 2d');
  await sendHex(own, device, '00:dc:2e');
  await expect(decoderState(page)).toHaveText('Decodes · 2 payloads, none with an error');
  await sendHex(own, device, '00e1');
  await expect(decoderState(page)).toHaveText('Decodes · 1 of 3 payloads with an error');
  const failure = page.getByRole('region', { name: 'Latest error' });
  await expect(failure).toContainText('Error: too short (line 5)');
  await expect(failure).toContainText('00 e1');
  await look(page, 'decoder-failing', THREE_SIZES);

  // What came is in the chart without how it came, and in the table with it.
  await page.getByRole('tab', { name: 'Chart' }).press('Enter');
  await expectChart(page, 3);
  const legend = page.getByTestId('chart-readout');
  await expect(legend).toContainText('temperature');
  await expect(legend).toContainText('humidity');
  await expect(legend).not.toContainText('uplink');
  await expect(page.getByTestId('states')).toHaveAttribute('data-strips', '0');
  await look(page, 'decoder-chart', THREE_SIZES);
  await page.getByRole('tab', { name: 'Table' }).press('Enter');
  const rows = page.getByRole('table', { name: 'Records' }).getByRole('row');
  await expect(rows.nth(1)).toContainText('not decoded');
  await expect(rows.nth(1)).toContainText('00e1');
  await expect(rows.nth(2)).toContainText('22.0');
  await expect(rows.nth(2)).not.toContainText('not decoded');
  await look(page, 'decoder-table', THREE_SIZES);
});

test('by keyboard alone a script is mended, tried on what came, saved, and that is taken back', async ({
  page,
  api,
  own,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  await makeDecoder(api, device);
  for (const hex of ['00d72d', '00e1']) await sendHex(own, device, hex);
  await visitDevice(page, device, 'decoder');
  await expect(decoderState(page)).toHaveText('Decodes · 1 of 2 payloads with an error');
  const script = page.getByRole('textbox', { name: 'Script' });
  await tabTo(page, script);
  // Tab goes on as long as nothing was written.
  await page.keyboard.press('Tab');
  await expect(script).not.toBeFocused();
  await expect(script).toHaveValue(SCRIPT);
  await page.keyboard.press('Shift+Tab');
  await expect(script).toBeFocused();

  // One that does worse: its error leads to the line.
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(SCRIPT.replace('humidity: bytes[2]', 'humidity: byte[2]'));
  await page.keyboard.press('Escape');
  const tryIt = page.getByRole('button', { name: 'Try on what came' });
  await tabTo(page, tryIt);
  await page.keyboard.press('Enter');
  const came = page.getByRole('status', { name: 'What came of it' });
  await expect(came).toHaveText('2 payloads: 1 would change; 1 new error.');
  await tabTo(page, page.getByRole('button', { name: 'Go to line 10' }));
  await look(page, 'decoder-worse', THREE_SIZES);
  await page.keyboard.press('Enter');
  await expect(script).toBeFocused();
  expect(await selectedText(page)).toBe('      humidity: byte[2]');

  // Mended: a line that is written is indented by Tab, and Escape leaves the field.
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(MENDED);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('Tab');
  await expect(script).toHaveValue(`  ${MENDED}`);
  await page.keyboard.press('Shift+Tab');
  await expect(script).toHaveValue(MENDED);
  await page.keyboard.press('Escape');
  await tabTo(page, tryIt);
  await page.keyboard.press('Enter');
  await expect(came).toHaveText('2 payloads: 1 would change; 1 error gone.');
  const differences = page.getByRole('table', { name: 'Differences' });
  await expect(differences.getByRole('row', { name: 'temperature none 22.5 new' })).toBeVisible();
  await expect(
    differences.getByRole('row', { name: /uplink\.error Error: too short .* none gone/ }),
  ).toBeVisible();
  await decoderState(page).scrollIntoViewIfNeeded();
  await picture(page, 'sensor-decoder');
  await look(page, 'decoder-mended', THREE_SIZES);
  // Nothing is saved yet.
  expect((await api('GET', functionsPath(device))).data).toMatchObject([{ script: SCRIPT }]);

  await tabTo(page, page.getByRole('button', { name: 'Save', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Decoder “Door sensor” saved')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeFocused();
  expect((await api('GET', functionsPath(device))).data).toMatchObject([{ script: MENDED }]);
  await sendHex(own, device, '00e6');
  await expect(decoderState(page)).toHaveText('Decodes · 1 of 3 payloads with an error');
  await page.getByRole('heading', { name: 'Door 3' }).focus();
  await page.keyboard.press('Control+Z');
  await expect(script).toHaveValue(SCRIPT);
  expect((await api('GET', functionsPath(device))).data).toMatchObject([{ script: SCRIPT }]);
});

test('a network server’s paths are there by its name, and what is written of them is saved', async ({
  page,
  api,
  own,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  await visitDevice(page, device, 'decoder');
  await page.getByRole('textbox', { name: 'Name' }).fill('Door sensor');
  await page.getByRole('textbox', { name: 'Script' }).fill(SCRIPT);
  const sends = page.getByRole('combobox', { name: 'How the device sends' });
  await sends.selectOption('Actility ThingPark');
  await expect(page.getByRole('textbox', { name: 'Bytes are at' })).toHaveValue('DevEUI_uplink.payload_hex');
  await sends.selectOption('Other JSON');
  await page.getByRole('button', { name: 'Save and switch on' }).click();
  await expect(page.getByText('Where in the message the bytes are.')).toBeVisible();
  await sends.selectOption('The Things Stack');
  await look(page, 'decoder-json', THREE_SIZES);
  await page.getByRole('button', { name: 'Save and switch on' }).click();
  await expect(decoderState(page)).toContainText('listening');
  const message = { uplink_message: { frm_payload: 'ANct', f_port: 2 } };
  await own('POST', '/integrations/http', { key: device.token, body: message });
  await own('POST', '/integrations/http', {
    key: device.token,
    body: { uplink_message: { frm_payload: 'AA==', f_port: 3 } },
  });
  await expect(page.getByRole('region', { name: 'Latest error' })).toContainText('port 3');
  await expect(sends).toHaveValue('The Things Stack');
});

const functionsPath = ({ project_id }: { readonly project_id: string }) =>
  `/_local/v1/projects/${project_id}/functions`;

/** What is selected in the field that has the focus. */
const selectedText = (page: Page) =>
  page.evaluate(() => {
    const field = document.activeElement as HTMLTextAreaElement;
    return field.value.slice(field.selectionStart, field.selectionEnd);
  });
