import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import type { ServiceStatus } from '#shared/operations/service/service.ts';
import { expect, inFolder, shot, test } from '../../../app.ts';
import { makeDevice, makeProject, visit, visitDevice } from '../../../steps/steps.ts';

test.use({ apart: true });

test('the service screen says where secrets are kept, why, and what that means', async ({ page }) => {
  await visit(page, '#/service');
  if (!inFolder) {
    await expect(page.getByText('The database, sealed: sealed with the key of --key-file')).toBeVisible();
    await expect(page.getByRole('alert', { name: 'Secrets' })).toHaveCount(0);
    return;
  }
  await expect(page.getByText('Memory only: --vault memory says so')).toBeVisible();
  await expect(page.getByRole('alert', { name: 'Secrets' })).toContainText(
    'Keys and tokens are gone when the service stops.',
  );
});

test('the service screen scrolls where it has more than the window, and cuts nothing', async ({ page }) => {
  test.skip(!inFolder, 'nothing is to be warned of where a database keeps the secrets');
  await page.setViewportSize({ width: 1000, height: 500 });
  await visit(page, '#/service');
  const alert = page.getByRole('alert', { name: 'Secrets' });
  await expect(alert).toBeVisible();
  expect(await alert.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
});

test('the service screen says where devices publish', async ({ page, own }) => {
  const { data } = await own('GET', '/_local/v1/status');
  const { mqtt_url, mqtt_websocket_urls } = data as ServiceStatus;
  await visit(page, '#/service');
  const main = page.getByRole('main');
  await expect(main.getByRole('group', { name: 'MQTT, on this machine only' })).toHaveText(mqtt_url ?? '');
  await expect(main).toContainText('Under Network and ports it is opened');
  await expect(main.getByRole('group', { name: 'MQTT over WebSocket' })).toHaveText(mqtt_websocket_urls);
});

test('a door is opened and shut on the service screen, and a port that is in use is said at its field', async ({
  page,
  own,
}) => {
  await visit(page, '#/service/doors');
  // The ports of this app were said when it was started.
  await expect(page.getByRole('textbox', { name: 'HTTPS port' })).toBeDisabled();
  await expect(page.getByText('Set at the start by --port')).toBeVisible();
  const field = page.getByRole('textbox', { name: 'MQTT port over TLS' });
  const doors = async () => (await own('GET', '/_local/v1/doors')).data as { https_port: number };
  const { https_port } = await doors();
  await field.fill(String(https_port));
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(
    /cannot be had: Port \d+ on 127\.0\.0\.1 is already in use\. Stop what uses it, or choose another\. For/,
  );
  await expect(field).toHaveValue(String(https_port));
  await field.fill('');
  await field.pressSequentially('88.83');
  await field.press('Enter');
  await expect(field).toHaveAccessibleDescription(/must be a whole number from 1 to 65535, got 88.83/);
  await shot(page, 'service-doors-refused');

  const free = createServer().listen(0, '127.0.0.1');
  await once(free, 'listening');
  const { port } = free.address() as AddressInfo;
  free.close();
  await once(free, 'close');
  await field.fill(String(port));
  await page.getByRole('button', { name: 'Apply' }).click();
  // While it is busy the button is disabled, too.
  await expect.poll(doors).toMatchObject({ mqtts_port: port });
  await expect(page.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await expect(page.getByRole('group', { name: 'MQTT over TLS' })).toHaveText(`mqtts://127.0.0.1:${port}`);
});

test('devices on the network are let in by a switch, and their address shows at the device', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  await visitDevice(page, device, 'connect');
  await page.getByRole('link', { name: 'Let devices on the network in…' }).click();
  const network = page.getByRole('switch', { name: 'Let devices and programs on the network in' });
  await expect(network).not.toBeChecked();
  await network.press(' ');
  const question = page.getByRole('dialog', { name: 'Let the network in?' });
  await expect(question).toContainText('1 device token');
  await expect(question).toContainText(/Shut all the same: plain HTTP \(port \d+\)/);
  await shot(page, 'network-question');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(network).not.toBeChecked();
  await network.press(' ');
  await question.getByRole('button', { name: 'Let the network in' }).click();
  await expect(network).toBeChecked();
  await expect(page.getByText('Reached from the network')).toBeVisible();
  await shot(page, 'network-open');
  await page.goBack();
  await expect(page.getByText('Devices on the network reach the address over TLS')).toBeVisible();
  await visit(page, '#/service/doors');
  await network.click();
  await expect(network).not.toBeChecked();
});

test('the certificate is saved from the service screen', async ({ page }) => {
  await visit(page, '#/service/doors');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the certificate' }).click();
  expect((await saved).suggestedFilename()).toBe('fieldbench-ca.pem');
});

test('storage lists what takes room, the largest first, down to the device', async ({ page, api }) => {
  const small = await makeDevice(api, await makeProject(api, 'Small hall'), 'Probe');
  const large = await makeDevice(api, await makeProject(api, 'Large hall'), 'Press 1');
  await api('POST', '/integrations/http', { key: small.token, body: { n: 1 } });
  const body = Array.from({ length: 2000 }, (_, n) => ({ n, text: `reading ${n}` }));
  await api('POST', '/integrations/http', { key: large.token, body });

  await visit(page, '#/service');
  await page.getByRole('link', { name: 'What takes room' }).click();
  await expect(page.getByRole('progressbar', { name: /^Used on the disk: \d+ %/ })).toBeVisible();
  await expect(page.getByText('Nothing: it found everything as it had left it.')).toBeVisible();
  const projects = page.getByRole('table', { name: 'Size by project' });
  await expect(projects.getByRole('row').nth(1)).toContainText('Large hall');
  await expect(projects.getByRole('row').nth(1)).toContainText('2,000');
  await projects.getByRole('link', { name: 'Large hall' }).press('Enter');
  await expect(page).toHaveURL(/service\/storage\?of=/);
  await page.reload();
  const devices = page.getByRole('table', { name: 'Size by device' });
  await expect(devices.getByRole('row', { name: /Press 1/ })).toContainText('2,000');
  await page.getByRole('link', { name: 'All projects' }).click();
  await expect(projects).toBeVisible();
});

test('the records are checked from the storage tab, which says since when all is readable', async ({
  page,
  api,
}) => {
  const probe = await makeDevice(api, await makeProject(api, 'Hall'), 'Probe');
  await api('POST', '/integrations/http', { key: probe.token, body: { n: 1 } });
  await visit(page, '#/service/storage');
  await expect(page.getByText('Not checked yet.')).toBeVisible();
  await page.getByRole('button', { name: 'Check now' }).click();
  const outcome = page.getByRole('status').filter({ hasText: 'Checked' });
  await expect(outcome).toContainText('Checked just now: everything is readable.');
  await page.reload();
  await expect(outcome).toContainText('everything is readable.');
});

test('how long deletes are kept is set on the service screen, by keyboard', async ({ page, api }) => {
  await visit(page, '#/service/settings');
  const days = page.getByRole('textbox', { name: 'Days for which it can be had back' });
  await expect(days).toHaveValue('30');
  await days.fill('0');
  await days.press('Enter');
  await expect(days).toHaveAccessibleDescription(/must be/);
  await expect(days).toHaveValue('0');
  // A number that is none here is refused as it was typed, and never made one.
  await days.fill('');
  await days.pressSequentially('1.5');
  await days.press('Enter');
  await expect(days).toHaveAccessibleDescription(/must be a whole number from 1 to 3650, got 1.5/);
  await expect(days).toHaveValue('1.5');
  await days.fill('two');
  await days.press('Enter');
  await expect(days).toHaveAccessibleDescription(/must be a whole number from 1 to 3650, got "two"/);
  await days.fill('7');
  await days.press('Enter');
  const form = page.locator('form').filter({ has: days });
  await expect(form.getByRole('button', { name: 'Apply' })).toBeDisabled();
  await page.getByRole('switch', { name: 'Keep what rigs and scripts delete, too' }).press(' ');
  await expect(page.getByRole('switch', { name: 'Keep what rigs and scripts delete, too' })).toBeChecked();
  await expect
    .poll(async () => (await api('GET', '/_local/v1/settings')).data)
    .toEqual({ keep_days: 7, keep_v2_deletes: true, webhook_hosts: [], mail: null });
});

test('the vault is tested by keyboard, and what cannot be done with it says why', async ({ page }) => {
  await visit(page, '#/service');
  await page.getByRole('tab', { name: 'Overview' }).focus();
  for (let tab = 0; tab < 3; tab++) await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/service\/secrets$/);
  await page.getByRole('button', { name: 'Test the vault' }).press('Enter');
  await expect(page.getByRole('list', { name: 'Steps of the self-test' }).getByRole('listitem')).toHaveText([
    /^Keep something: done/,
    /^Read it from where it is kept: done/,
    /^Delete it: done/,
    /^Find nothing of it any more: done/,
  ]);
  // This app was started with its secrets in memory, or in a database.
  await expect(page.getByRole('button', { name: 'Move', exact: true })).toBeDisabled();
  const why = inFolder ? '--vault memory says at the start' : 'The secrets of a lab lie in its database';
  await expect(page.getByText(why)).toBeVisible();
  if (!inFolder) await expect(page.getByText('The file that --key-file names')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Rotate the keys' })).toBeDisabled();
});

test('in a browser documentation and licences are a click away, as Help of the desktop app has them', async ({
  page,
  host,
}) => {
  test.skip(host !== 'console', 'the desktop app has them in its Help');
  await visit(page, '#/service');
  for (const [name, words] of [
    ['Documentation', 'Install, update, remove'],
    ['Licences', 'So much of Fieldbench itself.'],
  ] as const) {
    const opened = page.context().waitForEvent('page');
    await page.getByRole('main').getByRole('link', { name, exact: true }).click();
    const shown = await opened;
    await expect(shown.locator('body')).toContainText(words);
    await shown.close();
  }
});
