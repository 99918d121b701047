import { FIRST_MS, tickFigures, toggleKey, valueOf } from '../../steps/chart-steps.ts';
import { expect, shot, test } from '../../app.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
} from '../../steps/steps.ts';

/* Numbers read the same on every screen: a meter is read from whichever is open. */

const COUNTER = '12,345,679,300';
const RECORDS = 40;

test('a counter is whole wherever it stands, and a key has the decimals it has, hidden or shown', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const meter = await makeDevice(api, project_id, 'Meter');
  const records = Array.from({ length: RECORDS }, (_, at) => ({
    timestamp: new Date(FIRST_MS + at * 1000).toISOString(),
    pulses: 12_345_679_300 - RECORDS + 1 + at,
    kwh: 100_005.99 - RECORDS + 1 + at,
    rssi: -65 - (at % 5),
    level: 40 + (at % 5) / 4 + Math.PI / 1e7,
  }));
  await store(api, meter, records);

  await visitDevice(page, meter);
  await expectChart(page, RECORDS);
  const figure = (key: string, name: string) =>
    page.getByTestId('chart-readout').locator(`[data-line="${key}"] [data-figure="${name}"]`);
  await tickFigures(page, 'last');
  await expect(figure('pulses', 'last')).toHaveText(COUNTER);
  await expect(figure('kwh', 'last')).toHaveText('100,005.99');
  await expect(figure('rssi', 'min')).toHaveText('−69');
  await expect(figure('level', 'min')).toHaveText('40.0000');
  await toggleKey(page, 'level');
  await expect(figure('level', 'min')).toHaveText('40.0000');
  await expect(valueOf(page, 'pulses')).toHaveText(COUNTER);
  await expect(figure('pulses', 'mean')).toHaveText('12,345,679,281');
  await shot(page, 'numbers-legend');

  await page.getByRole('tab', { name: 'Keys' }).click();
  const keys = page.getByRole('table', { name: /Keys/ });
  await expect(keys).toContainText(`12,345,679,261 – ${COUNTER}`);
  await expect(keys).toContainText('99,966.99 – 100,005.99');
  await expect(keys).toContainText('−69 – −65');
  await shot(page, 'numbers-keys');

  await page.getByRole('tab', { name: 'Table' }).click();
  await expect(page.getByRole('table', { name: 'Records' })).toContainText(COUNTER);
  await expect(page.getByRole('table', { name: 'Records' })).toContainText('−65');
  await shot(page, 'numbers-table');

  await visit(page, `#/projects/${project_id}?keys=pulses,kwh,level`);
  const list = page.getByRole('table', { name: 'Devices' });
  await expect(list).toContainText(COUNTER);
  await expect(list).toContainText('100,005.99');
  await shot(page, 'numbers-list');

  // A number without a unit may be anything, so that the tree shows none.
  const tree = page.getByRole('treeitem', { name: /Meter/ });
  await expect(tree).not.toContainText('100,005.99');
  const path = `/_local/v1/projects/${project_id}/devices/${meter.device_id}/key-settings`;
  await expectDone(api('PATCH', path, { body: { key: 'kwh', unit: 'kWh' } }));
  await expect(tree).toContainText('kwh 100,005.99 kWh');
});
