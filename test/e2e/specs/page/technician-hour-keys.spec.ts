import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '../../app.ts';
import {
  FAULTY,
  MINUTES,
  chooseFiles,
  deviceOf,
  exportPath,
  link,
  recordingsIn,
  selection,
} from '../../steps/hour-steps.ts';
import { tabTo } from '../../steps/keyboard-steps.ts';
import { expectChart, makeProject, visit } from '../../steps/steps.ts';

/* The same hour as in technician-hour.spec.ts, without a mouse. */

test('a technician’s hour by keyboard', async ({ page, api, dataDirectory }) => {
  page.setDefaultTimeout(15_000);
  // Whoever listens only when the key is pressed may be told too late.
  page.on('filechooser', () => {});
  const { keyboard } = page;
  const project_id = await makeProject(api, 'Boiler room');
  const elsewhere = await makeProject(api, 'Office');
  const files = await recordingsIn(dataDirectory);
  await visit(page, `#/projects/${project_id}`);
  const palette = async (words: string) => {
    await keyboard.press('ControlOrMeta+k');
    await expect(page.getByRole('textbox', { name: 'Go to or do' })).toBeFocused();
    await keyboard.type(words);
    await expect(page.locator('.mantine-Spotlight-actionLabel').first()).toHaveText(words);
    await keyboard.press('Enter');
    await expect(page.getByRole('textbox', { name: 'Go to or do' })).toHaveCount(0);
  };
  const heading = (name: string) => page.getByRole('heading', { name, level: 1 });
  await expect(heading('Boiler room')).toBeVisible();
  const importInto = async (chosen: readonly string[]) => {
    await palette('Import files…');
    const choose = page.getByRole('button', { name: 'Choose files…' });
    await tabTo(page, choose);
    await chooseFiles(page, () => keyboard.press('Enter'), chosen);
    await expect(page.getByRole('button', { name: /^Import \d files?$/ })).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.getByRole('navigation', { name: 'Files' }).getByText('Imported')).toHaveCount(
      chosen.length,
    );
    await tabTo(page, page.getByRole('button', { name: 'Done', exact: true }));
    await keyboard.press('Enter');
  };

  await importInto(files);
  await expect(heading('Boiler room')).toBeVisible();
  await keyboard.press('/');
  await keyboard.type('boiler 1');
  await expect(link(page, 'Boiler 2')).toHaveCount(0);
  await keyboard.press('ArrowDown');
  await keyboard.press('Enter');
  await expect(heading('Boiler 1')).toBeVisible();
  await tabTo(page, page.getByRole('tab', { name: 'Chart' }));
  for (const _ of ['Table', 'Keys']) await keyboard.press('ArrowRight');
  await tabTo(page, page.getByRole('table', { name: 'Keys' }).getByRole('link', { name: /t1/ }));
  await keyboard.press('Enter');
  const editor = page.getByRole('region', { name: 't1' });
  await expect(editor.getByRole('textbox', { name: 'Shown as' })).toBeFocused();
  await keyboard.type('Flow');
  await keyboard.press('Tab');
  await keyboard.type('°C');
  await keyboard.press('Escape');
  await tabTo(page, editor.getByRole('checkbox', { name: /Apply to all devices/ }));
  await keyboard.press('Space');
  await keyboard.press('Tab');
  await tabTo(page, editor.getByRole('button', { name: 'Save' }));
  await keyboard.press('Enter');
  await expect(page.getByText('Saved for 3 devices.')).toBeVisible();

  // The next device, at its chart.
  await keyboard.press('Escape');
  await keyboard.press(']');
  await expect(heading(FAULTY)).toBeVisible();
  await palette('Chart');
  await expectChart(page, MINUTES);
  const chart = page.getByRole('group', { name: /^Chart of/ });
  const selectFault = async () => {
    await tabTo(page, page.getByRole('button', { name: /^Range: / }));
    await keyboard.press('Enter');
    const range = page.getByRole('dialog', { name: 'Range' });
    await tabTo(page, range.getByRole('textbox', { name: 'From' }));
    await keyboard.type('2026-01-05 12:00:00');
    await tabTo(page, range.getByRole('textbox', { name: 'To' }));
    await keyboard.type('2026-01-05 12:59:00');
    await keyboard.press('Enter');
    await tabTo(page, chart);
    for (const key of ['Home', 'a', 'End', 'b', 's']) await keyboard.press(key);
    await expect(selection(page)).toContainText('60 records');
  };
  await selectFault();
  await tabTo(page, selection(page).getByRole('button', { name: 'Note…' }));
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused();
  await keyboard.type('Sensor lifted off its pipe');
  await keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  const device = await deviceOf(api, project_id, FAULTY);
  const before = (await api('GET', exportPath(device))).text;
  // The selection's bar stands in the chart.
  await tabTo(page, chart, 'Shift+Tab');
  await keyboard.press('Delete');
  await expect(page.getByRole('dialog')).toContainText('Delete 60 records of “Boiler 2”?');
  await tabTo(page, page.getByRole('button', { name: 'Delete 60 records' }));
  await keyboard.press('Enter');
  await expect(page.getByText('60 records of “Boiler 2” deleted')).toBeVisible();
  await keyboard.press('ControlOrMeta+z');
  await expect(page.getByText('Undone')).toBeVisible();
  expect((await api('GET', exportPath(device))).text).toBe(before);

  await tabTo(page, page.getByRole('button', { name: 'Compare' }), 'Shift+Tab');
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Search devices' })).toBeFocused();
  await keyboard.type('boiler 3');
  await expect(page.getByRole('button', { name: 'Boiler 3' })).toBeVisible();
  await keyboard.press('Enter');
  await expect(page.getByTestId('compare')).toHaveAttribute('data-state', 'ready');
  await page.goBack();
  await expect(heading(FAULTY)).toBeVisible();
  await palette('Report to print');
  await expect(page.getByRole('article', { name: /^Report of/ })).toContainText('Sensor lifted off its pipe');
  await page.goBack();
  await expect(heading(FAULTY)).toBeVisible();

  const exportAll = async () => {
    await palette('Export…');
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await tabTo(page, dialog.getByRole('radio', { name: 'CSV' }));
    await keyboard.press('ArrowRight');
    await expect(dialog.getByRole('radio', { name: 'NDJSON' })).toBeChecked();
    await tabTo(page, dialog.getByRole('button', { name: 'Export', exact: true }));
    const coming = page.waitForEvent('download');
    await keyboard.press('Enter');
    return readFile(await (await coming).path());
  };
  const handed = await exportAll();
  const file = join(dataDirectory, 'handed.ndjson');
  await writeFile(file, handed);
  await visit(page, `#/projects/${elsewhere}`);
  await expect(heading('Office')).toBeVisible();
  await importInto([file]);
  await expectChart(page, MINUTES);
  expect((await exportAll()).equals(handed)).toBe(true);
});
