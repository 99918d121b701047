import { expect, inFolder, shot, test } from '../app.ts';
import { makeDevice, makeProject, visit, visitDevice } from '../steps/steps.ts';

test.skip(!inFolder, 'the services of a database have no seed');
test.use({ rig: '--clock frozen@2026-01-15T10:30:00Z --seed 42' });

test('every screen says that a seed is set, and Service which one', async ({ page, api }) => {
  const line = page.getByRole('region', { name: 'Seed of the service' });
  await expect(line).toHaveText(
    'This service was started with --seed: its API keys and device tokens follow from a number, and can be guessed. It is for tests alone.',
  );
  await visitDevice(page, await makeDevice(api, await makeProject(api, 'Rig'), 'Sensor'));
  await expect(line).toBeVisible();
  await shot(page, 'seed-is-set');
  await visit(page, '#/service');
  await expect(page.getByText('The seed is 42.')).toBeVisible();
  await expect(line).toBeVisible();
});
