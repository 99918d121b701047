import { expect, shot, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { makeDevice, makeProject, store, visit, visitDevice } from '../../../steps/steps.ts';

/* Connecting a device: whether anything comes, and why not. */

test('a device is listened to: its first reading, then a refusal with its reason, as they come', async ({
  page,
  api,
  own,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  await visitDevice(page, device, 'connect');
  const listening = page.getByRole('status', { name: 'Listening' });
  await expect(listening).toContainText('Listening… no request yet');
  await shot(page, 'connect-listening');
  await store(own, device, { temperature: 21.5 });
  await expect(listening).toContainText('first reading: temperature 21.5');

  await own('POST', '/integrations/http', { key: device.token, body: { 'a,b': 1 } });
  await expect(listening).toContainText('refused: record 1: a key must not contain ",", got "a,b"');
  const list = page.getByRole('list', { name: 'Last requests' });
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(list.getByRole('listitem').first()).toContainText('400');
  await expect(list.getByRole('listitem').first()).toContainText('{"a,b":1}');

  // By keyboard: what it was in full, and only the refused ones; the address keeps that.
  const row = list.getByRole('button', { name: /got "a,b"/ });
  await row.press('Enter');
  await expect(row).toHaveAttribute('aria-expanded', 'true');
  await expect(list).toContainText('HTTP · POST /integrations/http · from 127.0.0.1');
  await page.getByRole('radio', { name: 'All' }).press('ArrowRight');
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await expect(page).toHaveURL(/connect\?.*requests=refused/);
  await page.reload();
  await expect(list.getByRole('listitem')).toHaveCount(1);
  await page.goBack();
  await expect(list.getByRole('listitem')).toHaveCount(2);
  await expect(page.getByText(device.token)).toHaveCount(0);
});

test('a message of one’s own goes through the own door of the device, by keyboard, and its answer is shown', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Meter');
  await visitDevice(page, device, 'connect');
  await page.getByRole('button', { name: 'Send a message…' }).press('Enter');
  const message = page.getByRole('textbox', { name: 'Message' });
  await expect(message).toBeFocused();
  await expect(message).toHaveValue('{"temperature": 21.5}');
  const answer = page.getByRole('status', { name: 'Answer' });
  await message.fill('{"temperature": }');
  await expect(page.getByText('This is no JSON.')).toBeVisible();
  await message.press('Control+Enter');
  await expect(answer).toContainText('400 Bad Request');
  await expect(answer).toContainText('The body is not valid JSON');
  await expect(answer.getByRole('img', { name: 'Refused' })).toBeVisible();
  await look(page, 'connect-message-refused');
  // Nothing is lost, on another tab neither.
  await page.getByRole('tab', { name: 'Table' }).click();
  await page.getByRole('tab', { name: 'Connect' }).click();
  await expect(message).toHaveValue('{"temperature": }');
  await message.fill('{"temperature": 22.5, "state": "on", "ok": true}');
  await message.press('Control+Enter');
  await expect(answer).toContainText('200 OK');
  await expect(answer).toContainText('"stored":1');
  await expect(page.getByRole('status', { name: 'Listening' })).toContainText('temperature 22.5');
  await expect(page.getByRole('list', { name: 'Last requests' }).getByRole('listitem')).toHaveCount(2);
  // From then on the device's own values are the example.
  await page.reload();
  await expect(message).toHaveValue('{\n  "ok": true,\n  "state": "on",\n  "temperature": 22.5\n}');
  expect(await page.getByText(device.token).count()).toBe(0);
});

test('over MQTT the answer is the packet that the device gets', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Meter', { source: 'mqtt' });
  await visitDevice(page, device, 'connect');
  await expect(page.getByText(`PUBLISH to the topic ${device.device_id}`)).toBeVisible();
  await page.getByRole('button', { name: 'Send and store it' }).click();
  const answer = page.getByRole('status', { name: 'Answer' });
  await expect(answer).toContainText('PUBACK, reason code 0x00');
  await expect(page.getByRole('status', { name: 'Listening' })).toContainText('temperature 21.5');
  const list = page.getByRole('list', { name: 'Last requests' });
  await expect(list).toContainText('signed in');
  await expect(list).toContainText('stored temperature 21.5');
  await page.getByRole('textbox', { name: 'Message' }).fill('[]');
  await page.getByRole('button', { name: 'Send and store it' }).click();
  await expect(answer).toContainText('PUBACK, reason code 0x99');
  await expect(answer.getByLabel('Answer as the device gets it')).toContainText('Reason String:');
});

test('the QR code is hidden until asked, and drawn without leaving the page', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  await visitDevice(page, device, 'connect');
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Show QR code' }).press('Enter');
  await expect(
    page.getByRole('img', { name: 'QR code with the address, id and token of Boiler 3' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Hide QR code' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toHaveCount(0);
});

test('the old address of a device’s credentials still leads there', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  await visit(page, `#/projects/${device.project_id}/devices/${device.device_id}/credentials`);
  await expect(page.getByRole('tab', { name: 'Connect', selected: true })).toBeVisible();
});

test('an empty chart says what was refused lately, and leads to it', async ({ page, api, own }) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  await visitDevice(page, device);
  const empty = page.getByTestId('chart-empty');
  await expect(empty).toContainText('never stored');
  await own('POST', '/integrations/http', { key: device.token, body: { 'a,b': 1 } });
  await expect(empty).toContainText('1 request was refused lately; the last: record 1: a key must not');
  await empty.getByRole('link', { name: 'See Connect' }).press('Enter');
  await expect(page.getByRole('list', { name: 'Last requests' }).getByRole('listitem')).toHaveCount(1);
});
