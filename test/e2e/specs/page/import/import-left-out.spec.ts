import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, shot, test } from '../../../app.ts';
import { file } from '../../../steps/import-steps.ts';
import { dropFiles } from '../../../files.ts';
import { makeProject, visit } from '../../../steps/steps.ts';

/* What of a file is left out, and what of it is a guess, before it is opened and after it was imported. */

test('rows without a value and guesses show in the list, before and after', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const gaps = join(dataDirectory, `${'n'.repeat(90)}.csv`);
  const order = join(dataDirectory, 'order.csv');
  await writeFile(
    gaps,
    'time,bar\n2026-01-05T08:00:00Z,1\n2026-01-05T08:01:00Z,---\n2026-01-05T08:02:00Z,2\n',
  );
  await writeFile(order, 'date,bar\n03.04.2026 08:00,1\n04.04.2026 08:00,2\n');
  await visit(page, `#/projects/${project_id}`);
  await dropFiles(page, [gaps, order]);
  const files = page.getByRole('navigation', { name: 'Files' });
  await expect(files).toContainText('1 row left out');
  await expect(files).toContainText('Ready, 1 guess to look at');
  const report = page.getByRole('status', { name: 'The whole file' });
  await expect(report).toContainText('2 records · 1 row without a value is left out');
  await expect(report).not.toContainText('every row');
  // The longest name pushes nothing out of the list.
  const remove = page.getByRole('button', { name: /^Remove n+\.csv/ });
  await expect(remove).toBeInViewport({ ratio: 0.99 });
  expect(await files.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await shot(page, 'import-guesses');
  await file(page, 'order.csv').click();
  await page.getByTestId('doubt').getByRole('button', { name: 'Day first' }).click();
  await expect(file(page, 'order.csv')).toContainText(/Ready$/);
  await page.getByRole('button', { name: 'Import 2 files' }).click();
  await expect(files).toContainText('Imported, 1 row left out');
});

test('what is asked of a file is asked in words, and an answer keeps the words for missing values', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, 'far.csv');
  await writeFile(
    path,
    'time,bar,flow\n2026-01-05T08:00:00Z,1.5,NA\n2026-01-05T08:01:00Z,-999,2\n2026-01-05T08:02:00Z,1.6,3\n',
  );
  await visit(page, `#/projects/${project_id}`);
  await dropFiles(page, [path]);
  const doubt = page.getByTestId('doubt');
  await expect(doubt).toContainText('unless it is among the words for missing values.');
  await expect(doubt.getByRole('button')).toHaveText(['A number', 'No value']);
  await doubt.getByRole('button', { name: 'No value' }).click();
  await expect(doubt).toHaveCount(0);
  await expect(page.getByRole('textbox', { name: 'Words for missing values' })).toHaveValue('known, -999');
  await expect(page.getByRole('status', { name: 'The whole file' })).toContainText('3 records');
});

test('of a file without a record nothing is said of times that it has not', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const bare = join(dataDirectory, 'bare.csv');
  await writeFile(bare, 'time,bar\n2026-01-05T08:00:00Z,\n2026-01-05T08:01:00Z,---\n');
  await visit(page, `#/projects/${project_id}`);
  await dropFiles(page, [bare]);
  const report = page.getByRole('status', { name: 'The whole file' });
  await expect(report).toHaveText('0 records · 2 rows without a value are left out');
});

test('in the rows of a file decimal points lie below one another, and times are whole', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Line 2');
  const path = join(dataDirectory, 'flow.csv');
  const rows = ['60', '60.07', '7.5', '1234.125'].map((value, n) => `2026-01-05T08:0${n}:00.000Z,${value}`);
  await writeFile(path, ['time,bar', ...rows, ''].join('\n'));
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, [path]);
  const table = page.getByRole('table', { name: 'First rows' });
  await expect(table.getByRole('row')).toHaveCount(rows.length + 1);
  const points = await table.locator('td[data-number]').evaluateAll((cells) =>
    cells.map((cell) => {
      const text = cell.firstChild as Text;
      const range = document.createRange();
      const whole = text.data.split('.')[0]?.length ?? 0;
      range.setStart(text, whole - 1);
      range.setEnd(text, whole);
      return Math.round(range.getBoundingClientRect().right);
    }),
  );
  expect(new Set(points).size, String(points)).toBe(1);
  // Neither the times of the file nor what is said of their form end in dots.
  const cut = await table
    .locator('td, th[aria-label^="Time as"] div')
    .evaluateAll((cells) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((c) => c.textContent),
    );
  expect(cut).toEqual([]);
});
