import { expect, test } from '../../../app.ts';
import { BAD, makeColdStore, timeOf } from '../../../steps/correction-steps.ts';
import { expectDone, makeDevice, makeProject, store, visit, type MadeDevice } from '../../../steps/steps.ts';

/* What curves and marks of a list hear of devices whose newest record stays the same one. */

// A shared page would keep the clock that moves on.
test.use({ apart: true });

/** Longer than what was read of a device holds, in ms. */
const LONG_MS = 60_000;

test('a curve is without what was removed, and has what came late', async ({ page, api }) => {
  await page.clock.install();
  await page.reload();
  const device = await makeColdStore(api);
  await visit(page, `#/projects/${device.project_id}`);
  const curve = (span: string) =>
    page.getByRole('table', { name: 'Devices' }).getByRole('img', { name: `air, last day: ${span}` });
  await expect(curve('4 to 12')).toBeVisible();
  const { from, to } = BAD;
  const records = `/_local/v1/projects/${device.project_id}/devices/${device.device_id}/records`;
  await expectDone(api('DELETE', `${records}?start=${from}&end=${to}`));
  await expect(curve('4 to 4.9')).toBeVisible();
  await store(api, device, { timestamp: timeOf(160), air: 9 });
  await expect(
    page.getByRole('row', { name: /Cold store 2/ }).getByRole('cell', { name: '211' }),
  ).toBeVisible();
  await page.clock.fastForward(LONG_MS);
  await expect(curve('4 to 9')).toBeVisible();
});

test('devices are unlike the others no more once the records are removed that made them so, or all', async ({
  page,
  api,
}) => {
  await page.clock.install();
  await page.reload();
  const project_id = await makeProject(api, 'Cold store');
  const devices: MadeDevice[] = [];
  for (let n = 0; n < 8; n++) devices.push(await makeDevice(api, project_id, `PT-${101 + n}`));
  const minutes = Array.from({ length: 120 }, (_, minute) => minute);
  for (const [n, device] of devices.entries())
    await store(
      api,
      device,
      minutes.map((minute) => ({
        timestamp: timeOf(minute),
        air: 4 + n / 100 + ([3, 5].includes(n) && minute >= 30 && minute < 110 ? 20 : 0),
      })),
    );
  await visit(page, `#/projects/${project_id}`);
  const table = page.getByRole('table', { name: 'Devices' });
  const unlike = table.getByRole('img', { name: 'Not like the others' });
  await expect(unlike).toHaveCount(2);
  const remove = (n: number, from: number, to: number) =>
    expectDone(
      api(
        'DELETE',
        `/_local/v1/projects/${project_id}/devices/${devices[n]?.device_id}/records?start=${timeOf(from)}&end=${timeOf(to)}`,
      ),
    );
  await remove(3, 30, 109);
  await remove(5, 0, 119);
  await expect(table.getByRole('img', { name: 'air, last day: 4.03 to 4.03' })).toBeVisible();
  await expect(
    table.getByRole('row', { name: /PT-106/ }).getByRole('cell', { name: '0', exact: true }),
  ).toBeVisible();
  await page.clock.fastForward(LONG_MS);
  await expect(unlike).toHaveCount(0);
});
