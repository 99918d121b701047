import { expect, shot, test } from '../../../app.ts';
import type { Api } from '../../../api.ts';
import {
  expectDone,
  makeDevice,
  makeProject,
  store,
  visitDevice,
  type MadeDevice,
} from '../../../steps/steps.ts';

/* When records say they were made, against when they came: what is odd is found, looked at, deleted and brought back. */

const AT = Date.UTC(2026, 10, 19, 18);
const minute = (n: number) => new Date(AT + n * 60_000).toISOString();

/** An hour of readings with a gap, one of them twice, two of 1970 and one of 2099. */
async function makeOdd(api: Api): Promise<MadeDevice> {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-107');
  const readings = Array.from({ length: 60 }, (_, n) => ({
    timestamp: minute(n < 30 ? n : n + 60),
    t1: 18.4 + n / 10,
  }));
  await store(api, device, [
    ...readings,
    readings[7],
    { timestamp: '1970-01-01T00:00:05Z', t1: 1 },
    { timestamp: '1970-01-01T00:00:06Z', t1: 1 },
    { timestamp: '2099-12-31T00:00:00Z', t1: 1 },
  ]);
  return device;
}

const records = async (api: Api, { project_id, device_id }: MadeDevice) => {
  const path = `/_local/v1/projects/${project_id}/devices/${device_id}/records/count`;
  const { data } = await expectDone(api('GET', path));
  return (data as { records: number }).records;
};

test('odd times are found, lead to their place, are deleted and brought back by mouse', async ({
  page,
  api,
}) => {
  const device = await makeOdd(api);
  await visitDevice(page, device, 'times');
  const kinds = page.getByRole('navigation', { name: 'What is odd' });
  await expect(kinds.getByRole('link')).toHaveText([
    /In 1970 or 1971.*2 records/,
    /In 2036.*none/,
    /Ahead of now.*1 record/,
    /Gaps.*1 gap/,
    /Equal times.*1 record/,
    /Records stored twice.*1 record/,
    /Arrived late.*none/,
  ]);
  await expect(page.getByRole('img', { name: /Receipt against the record’s own time/ })).toBeVisible();
  await expect(page.getByRole('table', { name: 'In 1970 or 1971' })).toContainText('1970-01-01 00:00:05');
  // That of a device which sends seconds was set.
  await expect(
    page.getByText(/sends seconds: a timestamp that is a number counts milliseconds/),
  ).toBeVisible();
  await shot(page, 'times');
  await kinds.getByRole('link', { name: /Gaps/ }).click();
  await expect(
    page.getByRole('table', { name: 'Gaps' }).getByRole('row', { name: /61 min|1 h 1 min/ }),
  ).toBeVisible();
  await shot(page, 'times-gaps');

  await kinds.getByRole('link', { name: /stored twice/ }).click();
  await page
    .getByRole('table', { name: 'Records stored twice' })
    .getByRole('button', { name: /^Delete the records of 2026-11-19/ })
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('2 records lie there');
  await expect(dialog.getByRole('textbox', { name: 'Note to leave' })).toHaveValue('2 records removed');
  await shot(page, 'times-delete');
  // One more comes before it is said: what was not shown does not go.
  await store(api, device, [{ timestamp: minute(7), t1: 99 }]);
  await dialog.getByRole('button', { name: 'Delete 2 records' }).click();
  await expect(dialog.getByRole('alert')).toContainText('There are 3 records by now. Nothing was deleted.');
  await dialog.getByRole('button', { name: 'Delete 3 records' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await records(api, device)).toBe(62);
  await expect(kinds.getByRole('link', { name: /stored twice/ })).toContainText('none');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(kinds.getByRole('link', { name: /stored twice/ })).toContainText('1 record');
  expect(await records(api, device)).toBe(65);

  await kinds.getByRole('link', { name: /1970/ }).click();
  await page.getByRole('table', { name: 'In 1970 or 1971' }).getByRole('link').click();
  await expect(page).toHaveURL(/from=1969-12-31T.*to=1970-01-01T/);
  await expect(page.getByRole('tab', { name: 'Chart' })).toHaveAttribute('aria-selected', 'true');
});

test('odd times are looked through and deleted by keyboard, and a note says so', async ({ page, api }) => {
  const device = await makeOdd(api);
  await visitDevice(page, device, 'times');
  const kinds = page.getByRole('navigation', { name: 'What is odd' });
  const { keyboard } = page;
  await kinds.getByRole('link', { name: /Ahead of now/ }).focus();
  await keyboard.press('Enter');
  const table = page.getByRole('table', { name: 'Ahead of now' });
  await expect(table).toBeVisible();
  await table.getByRole('button', { name: /^Delete the records/ }).focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Delete 1 record' })).toBeEnabled();
  await page.getByRole('textbox', { name: 'Note to leave' }).focus();
  await keyboard.press('Enter');
  await expect(kinds.getByRole('link', { name: /Ahead of now/ })).toContainText('none');
  expect(await records(api, device)).toBe(63);
  await page.getByRole('tab', { name: 'Notes' }).click();
  await expect(page.getByRole('table', { name: 'Notes' })).toContainText('1 record removed');
  await page.goBack();
  await expect(page.getByRole('navigation', { name: 'What is odd' })).toBeVisible();
});
