import { expect, test } from '../../app.ts';
import { WITH_ELECTRON } from '../../steps/stand-in-steps.ts';
import { makeDevice, makeProject, openAction, store, visitDevice } from '../../steps/steps.ts';

/** A person chooses Undo in the menu at SIGUSR2. */
const CHOOSE_UNDO = WITH_ELECTRON("electron.BrowserWindow.getAllWindows()[0].chooseInMenu('Undo');");

test.beforeAll(
  () =>
    void (process.env['NODE_OPTIONS'] = `--import data:text/javascript,${encodeURIComponent(CHOOSE_UNDO)}`),
);
test.afterAll(() => void delete process.env['NODE_OPTIONS']);

test('Undo in the menu takes back a delete, or what was typed where the focus is', async ({
  page,
  api,
  app,
  host,
}) => {
  test.skip(host !== 'stand-in', 'a menu of the system is used by a person alone');
  const undo = () => process.kill(app.ready.pid, 'SIGUSR2');
  const press = await makeDevice(api, await makeProject(api, 'Line 2'), 'Press');
  await store(api, press, [{ bar: 1 }, { bar: 2 }]);
  await visitDevice(page, press);
  await openAction(page, 'Purge data…');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Purge/ })
    .click();
  await expect(page.getByTestId('chart-empty')).toBeVisible();
  const filter = page.getByPlaceholder(/Filter/).first();
  await filter.pressSequentially('Pu');
  undo();
  await expect(filter).toHaveValue('');
  await expect(page.getByTestId('chart-empty')).toBeVisible();
  await filter.blur();
  undo();
  await expect(page.getByTestId('chart')).toHaveAttribute('data-points', '2');
});
