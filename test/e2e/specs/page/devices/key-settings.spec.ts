import { expect, shot, test } from '../../../app.ts';
import type { Api } from '../../../api.ts';
import { makeDevice, makeProject, store, visitDevice, type MadeDevice } from '../../../steps/steps.ts';

/* How keys are shown: named, given units and a normal range, by mouse and by keyboard, for one device or all. */

const AT = Date.UTC(2026, 10, 19, 18);

/** A device with a temperature that rises from 18.4 and ends at 30.04, and keys beside it. */
async function makeProbe(api: Api, project_id: string, name: string): Promise<MadeDevice> {
  const device = await makeDevice(api, project_id, name);
  await store(
    api,
    device,
    Array.from({ length: 60 }, (_, n) => ({
      timestamp: new Date(AT + n * 60_000).toISOString(),
      t1: n === 59 ? 30.04 : 18.4 + n / 10,
      h: 40 + (n % 7) / 3,
      door: n % 20 < 3 ? 'open' : 'shut',
    })),
  );
  return device;
}

test('a key gets a name, a unit and a normal range, and says when it lies outside', async ({ page, api }) => {
  const project = await makeProject(api, 'Plant North');
  const device = await makeProbe(api, project, 'PT-107');
  await makeProbe(api, project, 'PT-108');
  await visitDevice(page, device, 'keys');
  const table = page.getByRole('table', { name: 'Keys' });
  const row = table.getByRole('row', { name: /t1/ });
  await expect(row).toContainText('18.40 – 30.04');
  await expect(table.getByRole('row', { name: /door/ })).toContainText('shut');
  const hint = page.getByText('Open one to set its name, unit and normal range.');
  await expect(hint).toBeVisible();
  await row.click();
  await expect(hint).toHaveCount(0);
  const editor = page.getByRole('region', { name: 't1' });
  await expect(editor.getByRole('textbox', { name: 'Shown as' })).toBeFocused();
  await editor.getByRole('textbox', { name: 'Shown as' }).fill('Supply');
  await editor.getByRole('combobox', { name: 'Unit' }).fill('°');
  await page.getByRole('option', { name: '°C' }).click();
  await editor.getByRole('textbox', { name: 'Decimals' }).fill('1');
  await editor.getByRole('textbox', { name: 'Normal from' }).fill('28');
  await editor.getByRole('textbox', { name: 'Normal up to' }).fill('27,5');
  await editor.getByRole('button', { name: 'Save' }).click();
  const upTo = editor.getByRole('textbox', { name: 'Normal up to' });
  await expect(upTo).toHaveAccessibleDescription('Not below 28.');
  await shot(page, 'keys-refused');
  await editor.getByRole('textbox', { name: 'Normal from' }).fill('18');
  await editor.getByRole('textbox', { name: 'Longest gap' }).fill('5 min');
  await editor.getByRole('radio', { name: 'Violet' }).check({ force: true });
  await editor.getByText('Dashed').click();
  await editor.getByRole('checkbox', { name: /Apply to all devices/ }).check();
  await expect(editor.getByText(/^2 devices will have these settings for “t1”/)).toBeVisible();
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved for 2 devices.')).toBeVisible();
  // Whoever goes on by keyboard goes on there.
  await expect(editor.getByRole('button', { name: 'Save' })).toBeFocused();
  await expect(table.getByRole('row', { name: /Supply/ })).toContainText('outside');
  await expect(table.getByRole('row', { name: /Supply/ })).toContainText('30.0 °C');
  await expect(table.getByRole('row', { name: /Supply/ })).toContainText('18.4 – 30.0');
  await shot(page, 'keys');
  const { data } = await api('GET', `/_local/v1/projects/${project}/key-settings`);
  expect(data).toMatchObject(
    [1, 2].map(() => ({ key: 't1', unit: '°C', high: 27.5, longest_gap_s: 300, colour: 2, dash: 'dashed' })),
  );
  // A link to it, loaded again, shows it again.
  await page.reload();
  await expect(page.getByRole('region', { name: 't1' }).getByRole('combobox', { name: 'Unit' })).toHaveValue(
    '°C',
  );
});

test('the last time of a key is that of its newest value, also where that is a text', async ({
  page,
  api,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'PT-109');
  await store(api, device, [
    { timestamp: '2026-03-01T08:00:00Z', bar: 1, mode: 'auto' },
    { timestamp: '2026-03-02T08:00:00Z', bar: 2, mode: 'auto' },
    { timestamp: '2026-03-03T08:00:00Z', bar: 'E4', mode: 'hand' },
  ]);
  await visitDevice(page, device, 'keys');
  const table = page.getByRole('table', { name: 'Keys' });
  const cells = (key: string) => table.getByRole('row', { name: new RegExp(`^${key}`) }).getByRole('cell');
  await expect(cells('bar')).toHaveText(['bar', '', 'E4', '1 – 2', '–', '2026-03-03', '3']);
  await expect(cells('mode')).toHaveText(['mode', '', 'hand', '–', '–', '2026-03-03', '3']);
});

test('settings that were typed stay while another key or tab is looked at, and are written back as they were read', async ({
  page,
  api,
}) => {
  const device = await makeProbe(api, await makeProject(api, 'Plant North'), 'PT-107');
  await visitDevice(page, device, 'keys');
  const table = page.getByRole('table', { name: 'Keys' });
  await table.getByRole('row', { name: /t1/ }).click();
  const editor = page.getByRole('region', { name: 't1' });
  await editor.getByRole('textbox', { name: 'Shown as' }).fill('Supply');
  await editor.getByRole('textbox', { name: 'Longest gap' }).fill('50');
  await expect(editor.getByRole('status')).toHaveText('Not saved yet.');
  await table.getByRole('link', { name: 'h', exact: true }).click();
  await expect(page.getByRole('region', { name: 'h', exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await expect(page.getByText('No notes')).toBeVisible();
  await page.getByRole('tab', { name: 'Keys' }).click();
  await table.getByRole('row', { name: /t1/ }).click();
  await expect(editor.getByRole('textbox', { name: 'Shown as' })).toHaveValue('Supply');
  await expect(editor.getByRole('status')).toHaveText('Not saved yet.');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor.getByRole('status')).toHaveText('Saved for this device.');
  await expect(editor.getByRole('textbox', { name: 'Longest gap' })).toHaveValue('50 s');
  // What is closed is dropped.
  await editor.getByRole('textbox', { name: 'Shown as' }).fill('Return');
  await editor.getByRole('button', { name: 'Close', exact: true }).click();
  await table.getByRole('row', { name: /Supply/ }).click();
  await expect(editor.getByRole('textbox', { name: 'Shown as' })).toHaveValue('Supply');
});

test('keys are searched, opened, changed and left by keyboard', async ({ page, api }) => {
  const project = await makeProject(api, 'Plant North');
  const device = await makeProbe(api, project, 'PT-107');
  await visitDevice(page, device, 'keys');
  const table = page.getByRole('table', { name: 'Keys' });
  await expect(table).toBeVisible();
  const { keyboard } = page;
  await keyboard.press('/');
  await keyboard.type('t1');
  await expect(page.getByText('1 of 3 keys')).toBeVisible();
  await table.getByRole('link').focus();
  await keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Shown as' })).toBeFocused();
  await keyboard.type('Supply');
  await keyboard.press('Tab');
  await keyboard.type('K');
  await keyboard.press('Escape');
  await keyboard.press('Enter');
  await expect(page.getByText('Saved for this device.')).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('region', { name: 't1' })).toHaveCount(0);
  await expect(table.getByRole('link')).toBeFocused();
  await expect(table.getByRole('link')).toContainText('Supply');
  await expect(page).toHaveURL(/find=t1$/);
});

test('keys are listed as their numbers count', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Plant North'), 'Rack');
  await store(api, device, { channel_11: 1, channel_2: 2, channel_101: 3, channel_1: 4 });
  await visitDevice(page, device, 'keys');
  const links = page.getByRole('table', { name: 'Keys' }).getByRole('link');
  await expect(links).toHaveText(['channel_1', 'channel_2', 'channel_11', 'channel_101']);
});

test('four thousand keys are listed with few rows', async ({ page, api }) => {
  const project = await makeProject(api, 'Plant North');
  const device = await makeDevice(api, project, 'Wide');
  for (let from = 0; from < 4096; from += 256)
    await store(
      api,
      device,
      Object.fromEntries(
        Array.from({ length: 256 }, (_, n) => [`key.${String(from + n).padStart(4, '0')}`, n]),
      ),
    );
  await visitDevice(page, device, 'keys');
  const table = page.getByRole('table', { name: 'Keys' });
  await expect(table).toHaveAttribute('aria-rowcount', '4097');
  expect(await table.getByRole('row').count()).toBeLessThan(60);
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('4000');
  await expect(table).toHaveAttribute('aria-rowcount', '2');
});
