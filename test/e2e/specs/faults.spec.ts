import { expect, shot, test } from '../app.ts';
import { expectDone, makeDevice, makeProject, store, visitDevice } from '../steps/steps.ts';

test('every screen says that faults are switched on, and requests which they met', async ({
  page,
  api,
  own,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Rig'), 'Sensor');
  await visitDevice(page, device);
  const line = page.getByRole('region', { name: 'Faults of the service' });
  await expect(line).toHaveCount(0);
  const rules = [{ name: 'slow', match: { operation: 'ingest' }, do: { delay_ms: 1 } }];
  await expectDone(own('PUT', '/_local/v1/faults', { body: { rules } }));
  await expect(line).toHaveText(
    'Faults are switched on, for tests: “slow”. What they are about goes wrong on purpose.',
  );
  await store(own, device, { celsius: 20 });
  await visitDevice(page, device, 'connect');
  await expect(page.getByRole('list', { name: 'Last requests' }).getByText('Fault: slow')).toBeVisible();
  await shot(page, 'faults-are-on');
  await expectDone(own('DELETE', '/_local/v1/faults'));
  await expect(line).toHaveCount(0);
});
