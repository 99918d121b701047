import { expect, test } from '../../../app.ts';
import { look } from '../../../look.ts';
import { makeDevice, makeProject, openAction, store, visit, visitDevice } from '../../../steps/steps.ts';

/* Devices that the service simulates. */

// They belong to the service, and are not emptied with its projects.
test.use({ apart: true });

test('who has nothing yet tries it with simulated devices, and is rid of them by one click', async ({
  page,
}) => {
  await page.getByRole('button', { name: 'Try it with simulated devices' }).click();
  await expect(page.getByRole('heading', { name: 'Small building (simulated)' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Meeting room' }).first()).toBeVisible();
  await look(page, 'simulated-building');
  await page.getByRole('button', { name: 'Remove simulated devices' }).click();
  await expect(page.getByText('No projects yet')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Try it with simulated devices' })).toBeVisible();
  // As any other delete.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('table', { name: 'Projects' })).toContainText('Small building (simulated)');
});

test('a device is simulated by shapes that are seen beforehand, says so, and is stopped', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Lab'), 'Boiler 3');
  await visitDevice(page, device);
  await openAction(page, 'Simulate…');
  const dialog = page.getByRole('dialog', { name: 'Simulate “Boiler 3”' });
  const temperature = dialog.getByRole('group', { name: 'Key temperature' });
  await expect(temperature.getByRole('img', { name: /^temperature, first 20 min/ })).toBeVisible();
  await temperature.getByRole('textbox', { name: 'Mean' }).fill('500');
  await temperature.getByRole('textbox', { name: 'Noise' }).fill('');
  await expect(temperature.getByRole('img', { name: /: 498 to 502$/ })).toBeVisible();
  await temperature.getByRole('textbox', { name: 'Period' }).fill('soon');
  await dialog.getByRole('button', { name: 'Another key' }).click();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(temperature.getByRole('textbox', { name: 'Period' })).toHaveAccessibleDescription(
    /A time such as/,
  );
  const other = dialog.getByRole('group', { name: /^Key/ }).nth(1);
  await expect(other.getByRole('textbox', { name: 'Key' })).toHaveAccessibleDescription('A name.');
  await temperature.getByRole('textbox', { name: 'Period' }).fill('1 min');
  await other.getByRole('textbox', { name: 'Key' }).fill('burner');
  await other.getByRole('combobox', { name: 'Shape' }).click();
  await page.getByRole('option', { name: 'States' }).click();
  await expect(other.getByRole('img', { name: /^burner, .*: running, idle, running, idle/ })).toBeVisible();
  await dialog.getByRole('textbox', { name: 'A reading every' }).fill('1 s');
  await dialog.getByRole('textbox', { name: 'Of the past, first' }).fill('2 min');
  await dialog.getByRole('textbox', { name: 'Left out' }).fill('10');
  await look(page, 'simulate');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toHaveCount(0);

  const badge = page.getByRole('button', { name: 'Simulated' });
  await badge.click();
  const list = dialog.getByRole('list', { name: 'Simulators of this device' });
  await expect(list.getByRole('listitem')).toContainText('temperature, burner · every 1 s');
  await expect(list.getByRole('listitem')).toContainText(/\d+ stored · next/);
  await look(page, 'simulate-running');
  await list.getByRole('button', { name: /^Stop / }).click();
  await expect(list).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(badge).toHaveCount(0);
  const { data } = await api('GET', `/_local/v1/simulators`);
  expect(data).toEqual([]);
});

test('what another device holds is replayed at once, and a refusal is said in the dialog', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Lab');
  const recorded = await makeDevice(api, project_id, 'Old boiler');
  await store(api, recorded, [
    { timestamp: '2026-01-05T08:00:00Z', bar: 1.5 },
    { timestamp: '2026-01-05T08:01:00Z', bar: 1.6 },
  ]);
  const device = await makeDevice(api, project_id, 'Boiler 3');
  await visitDevice(page, device);
  await openAction(page, 'Simulate…');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Replay of a device').click();
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog.getByRole('combobox', { name: 'Records of' })).toHaveAccessibleDescription('A device.');
  await dialog.getByRole('combobox', { name: 'Records of' }).fill('old');
  await page.getByRole('option', { name: /^Old boiler/ }).click();
  await dialog.getByRole('combobox', { name: 'Times' }).click();
  await page.getByRole('option', { name: 'As they were' }).click();
  await dialog.getByRole('textbox', { name: 'Times as fast' }).fill('');
  await look(page, 'simulate-replay');
  await dialog.getByRole('textbox', { name: 'Times as fast' }).fill('99999999');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog.getByRole('alert')).toContainText('speed must be');
  await dialog.getByRole('textbox', { name: 'Times as fast' }).fill('');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await expect(dialog).toHaveCount(0);
  await visit(page, `#/projects/${project_id}/devices/${device.device_id}/table`);
  await expect(page.getByText('1–2 of 2')).toBeVisible();
  await expect(page.getByRole('table')).toContainText('1.6');
});
