import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, inFolder, shot, test } from '../../../app.ts';
import { makeDevice, makeProject, store, visit, visitDevice } from '../../../steps/steps.ts';

test.use({ inMemory: true });
test.skip(({ host }) => host !== 'console', 'the window of an app keeps files');
test.skip(!inFolder, 'a service over a database keeps all in that');

test('the service screen says that all is gone at its end, and what is free is memory', async ({
  page,
  api,
  dataDirectory,
}) => {
  const device = await makeDevice(api, await makeProject(api, 'Rig'), 'Sensor');
  await store(api, device, { celsius: 20 });
  await visitDevice(page, device);
  await expect(page.getByText('Last seen just now')).toBeVisible();
  await visit(page, '#/service');
  const line = page.getByRole('alert', { name: 'In memory: all is gone when the service ends' });
  await expect(line).toBeVisible();
  await expect(page.getByText('Free in its memory')).toBeVisible();
  await shot(page, 'in-memory');
  await page.getByRole('link', { name: 'What takes room' }).click();
  await expect(line).toBeVisible();
  await expect(page.getByRole('progressbar', { name: /^Used of the memory: \d+ %/ })).toBeVisible();
  await expect(page.getByText('Data directory')).toHaveCount(0);
  expect(await readdir(dirname(dataDirectory))).toEqual(['ready.json']);
});
