import { decodeMessage, type PostedMessage } from '#shared/bridge/wire.ts';
import { expect, test } from '../../../app.ts';
import {
  expectDone,
  makeDevice,
  makeProject,
  openAction,
  removedRows,
  store,
  visit,
  visitDevice,
} from '../../../steps/steps.ts';

/* A dialog before a delete, while others change what would go. */

test.use({ apart: true });

test('what someone else deleted says so, and a dialog over it tells why it cannot act', async ({
  page,
  api,
  expectPageErrors,
}) => {
  expectPageErrors(/404/);
  const project_id = await makeProject(api, 'Line 2');
  const device = await makeDevice(api, project_id, 'Press');
  await visitDevice(page, device);
  await openAction(page, 'Purge data…');
  const dialog = page.getByRole('dialog', { name: 'Purge the data of “Press”' });
  await expect(removedRows(dialog)).toContainText(['0 records']);
  await api('DELETE', `/v2/projects/${project_id}/devices/${device.device_id}`);
  await dialog.getByRole('button', { name: 'Purge data' }).click();
  await expect(dialog.getByRole('alert').last()).toContainText(/not found|no device/i);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(/not found|no device/i);
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByText('No devices yet')).toBeVisible();
});

test('a dialog counts what comes and goes while it is open', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 2');
  const press = await makeDevice(api, project_id, 'Press');
  await visit(page, `#/projects/${project_id}`);
  await openAction(page, 'Delete project…');
  const dialog = page.getByRole('dialog', { name: 'Delete project “Line 2”' });
  await expect(removedRows(dialog)).toContainText(['Devices1', '0 records']);
  await store(api, press, [{ bar: 1 }, { bar: 2 }]);
  await expect(removedRows(dialog)).toContainText(['Devices1', '2 records']);
  const oven = await makeDevice(api, project_id, 'Oven');
  await store(api, oven, [{ bar: 3 }]);
  await expect(removedRows(dialog)).toContainText(['Devices2', '3 records']);
});

test('a project is not deleted with a device that the dialog has not shown', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 2');
  await makeDevice(api, project_id, 'Press');
  await page.routeWebSocket(/./, (socket) => {
    const service = socket.connectToServer();
    service.onMessage((frame) => {
      const message = typeof frame === 'string' ? null : (decodeMessage(frame) as PostedMessage);
      if (message?.type !== 'event') socket.send(frame);
    });
  });
  await page.reload();
  await visit(page, `#/projects/${project_id}`);
  await openAction(page, 'Delete project…');
  const dialog = page.getByRole('dialog', { name: 'Delete project “Line 2”' });
  await expect(removedRows(dialog)).toContainText(['Devices1']);
  await makeDevice(api, project_id, 'Oven');
  const act = dialog.getByRole('button', { name: 'Delete project' });
  await act.click();
  await expect(dialog.getByRole('alert')).toContainText(
    'Now 2 devices, 0 records would go, not 1 device, 0 records. Nothing was deleted',
  );
  await expect(removedRows(dialog)).toContainText(['Devices2']);
  await expectDone(api('GET', `/_local/v1/projects/${project_id}/devices`));
  await act.click();
  await expect(page.getByText('Project “Line 2” deleted')).toBeVisible();
});

test('what many devices would lose is counted again when one of them gets a rule', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Line 2');
  const [press] = [await makeDevice(api, project_id, 'Press'), await makeDevice(api, project_id, 'Oven')];
  await visit(page, `#/projects/${project_id}`);
  await page.getByRole('checkbox', { name: /^Select all/ }).check();
  await page.getByRole('button', { name: 'Delete…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 devices' });
  await expect(removedRows(dialog)).toContainText(['Devices2', '0 records']);
  await expect(dialog).not.toContainText('Functions');
  const body = { device_id: press.device_id, name: 'Hot', type: 'threshold', condition: { above: 90 } };
  await expectDone(api('POST', `/_local/v1/projects/${project_id}/functions`, { body }));
  await expect(dialog).toContainText('Functions1');
});
