import { expect, test } from '../../../app.ts';
import { viewOf } from '../../../steps/chart-steps.ts';
import { BAD, correct, figureOf, makeColdStore, MINUTES, timeOf } from '../../../steps/correction-steps.ts';
import { makeDecoder, sendHex } from '../../../steps/decoder-steps.ts';
import { answerOf, losesConnection, SILENCE } from '../../../steps/socket-steps.ts';
import {
  expectChart,
  expectDone,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
} from '../../../steps/steps.ts';

/* What happened while the page had no connection, and what does not matter to what stands still. */

test.use({ apart: true });

const ADD_100 = { kind: 'calibration', points: [[4, 104]] };

test('a correction that was made while the connection was lost is on the chart once there is a new one', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  const without = await losesConnection(page);
  await visitDevice(page, device);
  await expectChart(page, MINUTES);
  const highest = async () => (await viewOf(page)).y[0]?.[1] ?? 0;
  expect(await highest()).toBeLessThan(100);
  await without(() => correct(api, device, { ...ADD_100, key: 'air' }));
  await expect.poll(highest).toBeGreaterThan(100);
});

test('figures are those of what was stored in the place of what was removed meanwhile, though the device has as many records', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  const without = await losesConnection(page);
  await visitDevice(page, device);
  const max = figureOf(page, 'air', 'max');
  await expect(max).toHaveAttribute('data-exact', '12');
  await expect(page.getByTestId('states')).toContainText('open');
  await without(async () => {
    const { from, to } = BAD;
    const records = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/records`;
    await expectDone(api('DELETE', `${records}?start=${from}&end=${to}`));
    await store(
      api,
      device,
      Array.from({ length: 30 }, (_, minute) => ({ timestamp: timeOf(150 + minute), air: 8, door: 'ajar' })),
    );
  });
  await expect(max).toHaveAttribute('data-exact', '8');
  await expect(page.getByTestId('states')).toContainText('ajar');
  await expect(page.getByTestId('states')).not.toContainText('open');
  await expectChart(page, MINUTES);
});

test('and so it is on the curves of a list', async ({ page, api }) => {
  const device = await makeDevice(api, await makeProject(api, 'Pharmacy'), 'Cold store');
  const now = Date.now();
  const at = (minute: number) => new Date(now - minute * 60_000).toISOString();
  await store(
    api,
    device,
    Array.from({ length: 60 }, (_, minute) => ({ timestamp: at(minute), air: 4 + (minute % 10) / 10 })),
  );
  const without = await losesConnection(page);
  await visit(page, `#/projects/${device.project_id}`);
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(table.getByRole('img', { name: /air, last day: 4(\.\d+)? to 4\.9/ })).toBeVisible();
  await without(() => correct(api, device, { ...ADD_100, key: 'air' }));
  await expect(table.getByRole('img', { name: /air, last day: 104(\.\d+)? to 104\.9/ })).toBeVisible();
});

test('a report stays as it was read, whatever happens behind it, until it is read again', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  const path = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}`;
  const without = await losesConnection(page);
  await visit(page, `#/projects/${device.project_id}/devices/${device.device_id}/report`);
  const sheet = page.getByRole('article', { name: 'Report of Cold store 2' });
  await expect(sheet).toContainText('240 of 240');
  const before = await sheet.innerHTML();
  await store(api, device, [{ timestamp: timeOf(0.5), air: 50 }]);
  await without(() => correct(api, device, { ...ADD_100, key: 'air' }));
  // The name above it is that of now.
  await expectDone(api('PATCH', path, { body: { name: 'Cold store 3' } }));
  await expect(page.getByRole('heading', { name: 'Report of Cold store 3' })).toBeVisible();
  expect(await sheet.innerHTML()).toBe(before);
  await page.getByRole('button', { name: 'Read again' }).click();
  const again = page.getByRole('article', { name: 'Report of Cold store 3' });
  await expect(again).toContainText('241 of 241');
  await expect(again).toContainText('Corrected by 1 correction');
  await expect(again).toContainText('150');
});

test('a key that was decoded again as a boolean is a state and no line', async ({ page, api, own }) => {
  const device = await makeDevice(api, await makeProject(api, 'Cold store'), 'Door 3');
  const script = 'function decodeUplink(input) { return { data: { open: input.bytes[0] } }; }';
  const id = await makeDecoder(api, device, { script });
  for (const hex of ['00', '01']) await sendHex(own, device, hex);
  await visitDevice(page, device);
  await expectChart(page, 2);
  const strip = page.locator('[data-testid="state-strip"][data-key="open"]');
  await expect(page.getByTestId('chart-readout').locator('[data-line="open"]')).toBeVisible();
  await expect(strip).toHaveCount(0);
  const decoder = `/_local/v1/projects/${device.project_id}/functions/${id}`;
  const as = script.replace('bytes[0]', 'bytes[0] === 1');
  await expectDone(api('PATCH', decoder, { body: { script: as } }));
  await expectDone(api('POST', `${decoder}/decode`, { body: {} }));
  await expect(strip).toBeVisible();
});

test('where it could not be read which keys are booleans, it is read when the chart is shown again', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  await store(api, device, { timestamp: timeOf(MINUTES), air: 4, alarm: true });
  let isRefused = true;
  await answerOf(page, { 'data.list': () => (isRefused ? new Error('Not now.') : undefined) });
  await visitDevice(page, device);
  await expectChart(page, MINUTES + 1);
  const strip = page.locator('[data-testid="state-strip"][data-key="alarm"]');
  await expect(strip).toHaveCount(0);
  isRefused = false;
  await visit(page, '#/');
  await visitDevice(page, device);
  await expect(strip).toBeVisible();
});

test('the size of an export that could not be estimated is, once there is a new connection', async ({
  page,
  api,
}) => {
  const device = await makeColdStore(api);
  let answer: Error | typeof SILENCE | undefined = new Error('Not now.');
  const { cut } = await answerOf(page, { 'records.estimate': () => answer });
  await visitDevice(page, device);
  await page.getByRole('button', { name: 'Export…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Export “Cold store 2”' });
  await expect(dialog.getByRole('alert')).toContainText('Not now.');
  // What was wrong with other choices is not said of these.
  answer = SILENCE;
  await dialog.getByRole('radio', { name: 'NDJSON' }).press(' ');
  await expect(dialog.getByRole('status')).toHaveText('Counting…');
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  answer = undefined;
  await cut();
  await expect(dialog.getByText('240 records')).toBeVisible();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
});
