import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dismissNotices, expect, picture, test } from '../../app.ts';
import { drag, openMore } from '../../steps/chart-steps.ts';
import {
  FAULT,
  FAULTY,
  MINUTES,
  acts,
  chooseFiles,
  countedActs,
  deviceOf,
  exportPath,
  link,
  recordingsIn,
  selection,
} from '../../steps/hour-steps.ts';
import { expectChart, makeProject, visit } from '../../steps/steps.ts';

/* A technician's hour: three recordings come in, the fault in one of them is found, noted, compared, removed, had back,
   reported and handed over, and what was handed over is the same elsewhere, byte for byte. */

test('a technician’s hour by mouse', async ({ page, api, dataDirectory }) => {
  const project_id = await makeProject(api, 'Boiler room');
  const elsewhere = await makeProject(api, 'Office');
  const files = await recordingsIn(dataDirectory);
  page.setDefaultTimeout(15_000);
  await visit(page, `#/projects/${project_id}`);
  await countedActs(page);

  // Three recordings become three devices.
  await page.getByRole('button', { name: 'Import files…' }).click();
  await chooseFiles(page, () => page.getByRole('button', { name: 'Choose files…' }).click(), files);
  await expect(page.getByRole('button', { name: 'Import 3 files' })).toBeEnabled();
  await picture(page, 'hour-import');
  await page.getByRole('button', { name: 'Import 3 files' }).click();
  await expect(page.getByRole('navigation', { name: 'Files' }).getByText('Imported')).toHaveCount(3);
  await page.getByRole('button', { name: 'Done', exact: true }).click();
  expect(await acts(page), 'three recordings imported').toBeLessThanOrEqual(4);

  // What the key is, for all of them.
  await link(page, 'Boiler 1').click();
  await page.getByRole('tab', { name: 'Keys' }).click();
  await page.getByRole('table', { name: 'Keys' }).getByRole('link', { name: /t1/ }).click();
  const editor = page.getByRole('region', { name: 't1' });
  await editor.getByRole('textbox', { name: 'Shown as' }).fill('Flow');
  await editor.getByRole('combobox', { name: 'Unit' }).fill('°C');
  await editor.getByRole('textbox', { name: 'Normal from' }).fill('50');
  await editor.getByRole('textbox', { name: 'Normal up to' }).fill('70');
  await editor.getByRole('checkbox', { name: /Apply to all devices/ }).check();
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved for 3 devices.')).toBeVisible();
  await picture(page, 'hour-keys');

  // The fault is seen in the list's lines of a day, and found on the chart.
  await page.goBack();
  await page.goBack();
  await page.goBack();
  const values = page.getByRole('table', { name: 'Devices' });
  await expect(values.getByRole('row', { name: /Boiler 2/ })).toContainText('°C');
  await picture(page, 'hour-list');
  await link(page, FAULTY).click();
  await expectChart(page, MINUTES);
  await acts(page);
  await drag(page, (FAULT.from - 0.5) / (MINUTES - 1), (FAULT.to - 0.5) / (MINUTES - 1));
  await expect(selection(page)).toContainText('60 records');
  await selection(page).getByRole('button', { name: 'Note…' }).click();
  const note = page.getByRole('dialog', { name: 'New note' });
  await note.getByRole('textbox', { name: 'Note' }).fill('Sensor lifted off its pipe');
  await note.getByRole('button', { name: 'Add note' }).click();
  await expect(note).toHaveCount(0);
  await picture(page, 'hour-note');

  // Beside its neighbour.
  await acts(page);
  await page.getByRole('button', { name: 'Compare' }).click();
  await page.getByRole('dialog', { name: 'Compare' }).getByRole('button', { name: 'Boiler 1' }).click();
  await expect(page.getByTestId('compare')).toHaveAttribute('data-points', String(2 * MINUTES));
  expect(await acts(page), 'compared with the neighbour').toBeLessThanOrEqual(3);
  await expect(page.locator('td[data-figure="max"]').first()).toHaveText('85.00');
  await picture(page, 'hour-compare');
  await page.goBack();
  await page.goBack();

  // The hour goes, and comes back.
  const device = await deviceOf(api, project_id, FAULTY);
  const before = (await api('GET', exportPath(device))).text;
  await visit(page, `#/projects/${project_id}/devices/${device.device_id}`);
  await expectChart(page, MINUTES);
  await acts(page);
  await drag(page, (FAULT.from - 0.5) / (MINUTES - 1), (FAULT.to - 0.5) / (MINUTES - 1));
  await selection(page).getByRole('button', { name: 'Delete 60…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete 60 records' }).click();
  await expectChart(page, MINUTES - 60);
  // What is gone counts nowhere: not among the figures of the selection, nor as time outside the normal range.
  await expect(page.getByTestId('chart-readout')).not.toContainText('85.00');
  await expect(page.getByTestId('excursions')).not.toContainText('1 excursion');
  await picture(page, 'hour-deleted');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expectChart(page, MINUTES);
  expect(await acts(page), 'an hour removed and had back').toBeLessThanOrEqual(5);
  expect((await api('GET', exportPath(device))).text).toBe(before);

  // The report.
  await openMore(page, 'Report to print');
  const sheet = page.getByRole('article', { name: /^Report of/ });
  await expect(sheet).toContainText('Sensor lifted off its pipe');
  // Its figures, and how long it was too warm.
  const flow = sheet.getByRole('row', { name: /^Flow/ });
  await expect(flow.filter({ hasText: '60 (12.5 %)' })).toHaveCount(1);
  await expect(flow.filter({ hasText: '85 °C, above' })).toHaveCount(1);
  await dismissNotices(page);
  await picture(page, 'hour-report');
  await page.goBack();

  // Handed over, taken in elsewhere, and handed over again: the same bytes.
  const exportTo = async (format: string) => {
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: /^Export…?$/ }).click();
    const dialog = page.getByRole('dialog', { name: /^Export/ });
    await dialog.getByText(format, { exact: true }).click();
    await dialog.getByRole('button', { name: 'Export', exact: true }).click();
    return readFile(await (await coming).path());
  };
  await expectChart(page, MINUTES);
  const handed = await exportTo('NDJSON');
  const file = join(dataDirectory, 'handed.ndjson');
  await writeFile(file, handed);
  await visit(page, `#/projects/${elsewhere}`);
  await page.getByRole('button', { name: 'Import files…' }).click();
  await chooseFiles(page, () => page.getByRole('button', { name: 'Choose files…' }).click(), [file]);
  await page.getByRole('button', { name: 'Import 1 file' }).click();
  await page.getByRole('button', { name: 'Open the device' }).click();
  await expectChart(page, MINUTES);
  expect((await exportTo('NDJSON')).equals(handed)).toBe(true);
});
