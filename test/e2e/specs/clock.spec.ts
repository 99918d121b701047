import { expect, inFolder, shot, test } from '../app.ts';
import { expectDone, makeDevice, makeProject, store, visitDevice } from '../steps/steps.ts';

test.skip(!inFolder, 'the services of a database have the machines’ clock');
test.use({ rig: '--clock frozen@2026-01-15T10:30:00Z' });

test('every screen says that the clock stands, until it goes as the machine’s', async ({
  page,
  api,
  own,
}) => {
  const line = page.getByRole('region', { name: 'Clock of the service' });
  await expect(line).toHaveText('The clock of this service stands at 2026-01-15 10:30:00 UTC.');
  const device = await makeDevice(api, await makeProject(api, 'Rig'), 'Sensor');
  await store(api, device, { celsius: 20 });
  await visitDevice(page, device);
  await expect(page.getByText('Last seen just now')).toBeVisible();
  await shot(page, 'clock-stands');
  await expectDone(own('POST', '/_local/v1/clock/advance', { body: { ms: 90_000 } }));
  await expect(line).toContainText('stands at 2026-01-15 10:31:30 UTC');
  await expect(page.getByText('Last seen 1 minute ago')).toBeVisible();
  await expectDone(own('PUT', '/_local/v1/clock', { body: { mode: 'scaled', rate: 60 } }));
  await expect(line).toContainText('goes 60 times as fast');
  await expectDone(own('PUT', '/_local/v1/clock', { body: { mode: 'system' } }));
  await expect(line).toHaveCount(0);
});
