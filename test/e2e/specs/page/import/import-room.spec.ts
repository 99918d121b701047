import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, shot, test } from '../../../app.ts';
import { dropFiles } from '../../../files.ts';
import { panel } from '../../../steps/import-steps.ts';
import { THREE_SIZES } from '../../../shot.ts';
import { makeProject, visit } from '../../../steps/steps.ts';

/* How a file is read is judged by its rows: they are in sight, whatever the file has above its table. */

const minute = (n: number) =>
  new Date(Date.UTC(2026, 9, 20, 6, n)).toISOString().slice(0, 16).replace('T', ' ');

/** Rows that are wholly in sight before anything is scrolled, in a window of these heights. */
const LEAST_ROWS = new Map([
  [600, 2],
  [800, 8],
  [1080, 10],
]);

test('rows as they will be stored are in sight below a guessed encoding and five lines above the data', async ({
  page,
  api,
  dataDirectory,
}) => {
  const project_id = await makeProject(api, 'Loop');
  const path = join(dataDirectory, 'kreislauf.txt');
  const rows = Array.from(
    { length: 300 },
    (_, n) => `${minute(n)};${59 + (n % 10)},5;44,${n % 10};12,0${n % 10}`,
  );
  const head = [
    'Logger TX-400, Prüfstand 3',
    'Serial 4711',
    'Datum;Kreis 1;Kreis 1;Kreis 2',
    'Zeit;Vorlauf;Rücklauf;Durchfluss',
    ';°C;°C;l/min',
  ];
  await writeFile(path, [...head, ...rows, ''].join('\r\n'), 'latin1');
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('button', { name: 'Import files…' })).toBeVisible();
  await dropFiles(page, [path]);
  const shown = panel(page, 'kreislauf.txt');
  const whole = shown.getByRole('status', { name: 'The whole file' });
  await expect(whole).toContainText('300 records');
  await expect(whole).toContainText('Read as Windows-1252: “Rücklauf”');
  await shot(page, 'import-room', THREE_SIZES);

  const areInSight = async () => {
    for (const size of THREE_SIZES) {
      await page.setViewportSize(size);
      const stored = shown.getByRole('table', { name: 'First rows' }).getByRole('row');
      const least = LEAST_ROWS.get(size.height)!;
      // The first row of the table is its head.
      for (let at = 1; at <= least; at++)
        await expect(
          stored
            .nth(at)
            .getByRole('cell', { name: /^2026-10-20/ })
            .first(),
          `row ${at} at ${size.width}`,
        ).toBeInViewport({ ratio: 1 });
    }
  };
  await areInSight();

  // Lines down to the names are folded; what stands between names and data is said by one click.
  const fold = shown.getByRole('button', { name: /3 lines above, names in line 3/ });
  await expect(fold).toHaveAttribute('aria-expanded', 'false');
  const lines = shown.getByRole('list', { name: 'Lines above the data' }).getByRole('listitem');
  await expect(lines).toHaveText([/^4Zeit;Vorlauf/, /^5;°C/]);
  await fold.press('Enter');
  await expect(lines).toHaveText([/^1Logger TX-400/, /^2Serial 4711/, /^3Datum;.*names$/, /^4/, /^5/]);
  await fold.press('Enter');
  await shown.getByRole('button', { name: 'Names are here, line 4' }).click();
  await expect(shown.getByRole('textbox', { name: 'Unit of Vorlauf' })).toHaveValue('°C');
  await expect(shown.getByRole('button', { name: /4 lines above, names in line 4/ })).toBeVisible();
  await areInSight();
});
