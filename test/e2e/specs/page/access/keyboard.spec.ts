import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../../../app.ts';
import { dropFiles } from '../../../files.ts';
import { expectVisibleFocus, tabTo } from '../../../steps/keyboard-steps.ts';
import { expectDone, makeDevice, makeProject, visit, visitDevice } from '../../../steps/steps.ts';

/* The main path without a mouse. */

test('a project and a device are made, found and deleted by keyboard alone', async ({ page }) => {
  const { keyboard } = page;
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  await expect(page.getByText('No projects yet')).toBeVisible();
  await tabTo(page, page.getByRole('link', { name: 'Fieldbench' }));
  await tabTo(page, page.getByRole('button', { name: 'Keyboard shortcuts' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  // Keys of the screen are silent under a dialog.
  await keyboard.press('n');
  await expect(page.getByRole('dialog')).toHaveCount(1);
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Keyboard shortcuts' })).toBeFocused();
  await expectVisibleFocus(page);

  await keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expectVisibleFocus(page);
  await keyboard.type('Machine hall');
  await keyboard.press('Enter');
  // Who opens a screen is where it begins.
  await expect(heading('Machine hall')).toBeFocused();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await keyboard.press('n');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await keyboard.type('Press 4');
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Open device' })).toBeFocused();
  await keyboard.press('Enter');
  await expect(heading('Press 4')).toBeFocused();

  await tabTo(page, page.getByRole('tab', { name: 'Chart' }));
  await keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByText('No records')).toBeVisible();
  // Tabs use the arrows, and leave the other keys to the screen.
  await keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('tab', { name: 'Table' })).toBeFocused();

  await keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toBeFocused();
  await keyboard.type('machine');
  await expect(page.getByRole('button', { name: 'Machine hall' }).first()).toBeVisible();
  await keyboard.press('Enter');
  await expect(heading('Machine hall')).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'Go to or do' })).toHaveCount(0);
  // The list comes a moment after its heading, and the key with it.
  await expect(page.getByRole('searchbox', { name: 'Search devices' })).toBeVisible();
  await keyboard.press('/');
  await expect(page.getByRole('searchbox', { name: 'Search devices' })).toBeFocused();
  await keyboard.type('press');
  await tabTo(page, page.getByRole('link', { name: 'Press 4' }));
  await keyboard.press('Enter');
  await expect(heading('Press 4')).toBeVisible();

  const more = page.getByRole('button', { name: 'More actions' });
  await tabTo(page, more);
  const remove = async () => {
    await keyboard.press('Enter');
    await expect(page.getByRole('menuitem').first()).toBeFocused();
    await keyboard.press('ArrowUp');
    await expect(page.getByRole('menuitem', { name: 'Delete device…' })).toBeFocused();
    await keyboard.press('Enter');
  };
  await remove();
  const act = page.getByRole('button', { name: 'Delete device', exact: true });
  await expect(act).toBeFocused();
  await keyboard.press('Escape');
  await expect(act).toHaveCount(0);
  await expect(more).toBeFocused();
  await remove();
  await expect(page.getByRole('table', { name: 'What would be removed' })).toBeVisible();
  await expect(act).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.getByText('No devices yet')).toBeVisible();
  await expect(page.getByText('Device “Press 4” deleted')).toBeVisible();
  await expect(heading('Machine hall')).toBeFocused();
  await keyboard.press('ControlOrMeta+z');
  await expect(page.getByRole('link', { name: 'Press 4' })).toBeVisible();
});

test('what is deleted leaves the focus to what stands there then', async ({ page, api, dataDirectory }) => {
  const { keyboard } = page;
  const project_id = await makeProject(api, 'Line 2');
  const device = await makeDevice(api, project_id, 'PT-107');
  const path = `/_local/v1/projects/${project_id}/devices/${device.device_id}/notes`;
  for (const [n, text] of ['Valve opened', 'Valve shut'].entries())
    await expectDone(api('POST', path, { body: { start: `2026-11-19T18:0${n}:00Z`, text } }));
  await visitDevice(page, device, 'notes');
  const rows = page.getByRole('table', { name: 'Notes' }).getByRole('row');
  await rows
    .filter({ hasText: 'Valve shut' })
    .getByRole('button', { name: /^Delete the note/ })
    .focus();
  await keyboard.press('Enter');
  await expect(rows.filter({ hasText: 'Valve opened' }).getByRole('link')).toBeFocused();
  await page.getByRole('button', { name: /^Delete the note/ }).focus();
  await keyboard.press('Enter');
  const add = page.getByRole('button', { name: 'New note…' });
  await expect(add).toBeFocused();
  // A notice is nowhere any more once it was answered.
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await expect(page.getByRole('link', { name: /2026-11-19/ })).toBeVisible();
  await expect(page.locator('main :focus')).toHaveCount(1);

  const files = ['a.csv', 'b.csv'].map((name) => join(dataDirectory, name));
  for (const one of files) await writeFile(one, 'time,t1\n2026-01-05T08:00:00Z,21.5\n');
  await visit(page, `#/projects/${project_id}`);
  await dropFiles(page, files);
  await expect(page.getByRole('button', { name: 'Import 2 files' })).toBeFocused();
  await page.getByRole('button', { name: 'Remove b.csv' }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^a\.csv/ })).toBeFocused();

  for (const name of ['rig 1', 'rig 2'])
    await expectDone(api('POST', '/_local/v1/keys', { body: { name, permissions: ['read'] } }));
  await visit(page, '#/api-keys');
  await page.getByRole('button', { name: /^Revoke rig 1/ }).focus();
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  // It gives the focus to one of its buttons first.
  await expect(dialog.locator(':focus')).toHaveCount(1);
  await dialog.getByRole('button', { name: /^Revoke/ }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: /^Revoke rig 2/ })).toBeFocused();
});

test('what somebody else deletes while its dialog is open leaves the focus to what stands there then', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'PT-107');
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/notes`;
  const note = async (start: string, text: string) =>
    (await api('POST', path, { body: { start, text } })).data as { id: string };
  await note('2026-11-19T18:00:00Z', 'Valve opened');
  const { id } = await note('2026-11-19T18:01:00Z', 'Valve shut');
  await visitDevice(page, device, 'notes');
  const rows = page
    .getByRole('table', { name: 'Notes', includeHidden: true })
    .getByRole('row', { includeHidden: true });
  await rows
    .filter({ hasText: 'Valve shut' })
    .getByRole('button', { name: /^Edit the note/ })
    .press('Enter');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toBeFocused();
  await expectDone(api('DELETE', `${path}/${id}`));
  await expect(rows.filter({ hasText: 'Valve shut' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(rows.filter({ hasText: 'Valve opened' }).locator(':focus')).toHaveCount(1);
});

test('an option is chosen by keys alone, however late timers of the page fire', async ({ page, api }) => {
  const [from] = await Promise.all(['Hall', 'Roof', 'Yard'].map((name) => makeProject(api, name)));
  await makeDevice(api, from ?? '', 'Pump');
  await visit(page, `#/projects/${from}`);
  await page.getByRole('checkbox', { name: 'Select Pump' }).click();
  await page.getByRole('button', { name: 'Move…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Move/ });
  const field = dialog.getByRole('combobox', { name: 'To project' });
  await expect(field).toBeFocused();
  // Keys come before timers where the page has much to do.
  await page.evaluate(() => {
    const set = window.setTimeout.bind(window);
    Object.assign(window, {
      later: [],
      setTimeout: (act: () => void, ms: number) =>
        ms > 0 ? set(act, ms) : (window as unknown as { later: (() => void)[] }).later.push(act),
    });
  });
  await page.keyboard.type('oo');
  await expect(page.getByRole('option')).toHaveText(['Roof']);
  await page.keyboard.press('ArrowDown');
  await page.evaluate(() => {
    for (const act of (window as unknown as { later: (() => void)[] }).later) act();
  });
  await page.keyboard.press('Enter');
  await expect(field).toHaveValue('Roof');
});
