import { expect, inFolder, test } from '../../app.ts';
import { acts, countedActs, expectActs } from '../../steps/hour-steps.ts';
import { addLab, startLab } from '../../lab.ts';
import { runAgain, startAgain, stopService } from '../../steps/restart-steps.ts';
import {
  dataPath,
  expectChart,
  makeDevice,
  makeProject,
  store,
  visit,
  visitDevice,
} from '../../steps/steps.ts';

/* What a task costs at most, as in counts.spec.ts, where a service beside this one or a restart is part of it. */

test.use({ apart: true });

test('a project pushed to the lab that is known, with a plan before: 3 acts', async ({ page, api }) => {
  await using lab = await startLab();
  const project_id = await makeProject(api, 'Boiler room');
  const pump = await makeDevice(api, project_id, 'Pump');
  await store(api, pump, { temperature: 20 });
  await addLab(page, lab, 'Furnace lab');
  await visit(page, `#/projects/${project_id}`);
  await expect(page.getByRole('link', { name: 'Pump' })).toBeVisible();
  await countedActs(page);
  await page.getByRole('button', { name: 'Push…' }).click();
  await page.getByRole('button', { name: 'Plan', exact: true }).click();
  const row = page.getByRole('table', { name: 'Plan' }).getByRole('row', { name: /Pump/ });
  await expect(row).toContainText('New');
  // The plan alone has sent nothing.
  expect((await lab.api('GET', `/v2/projects/${project_id}`)).status).toBe(404);
  await page.getByRole('button', { name: 'Send 1 record' }).click();
  await expect(row).toContainText('1 sent');
  await expectActs(page, 3, 'pushed by a plan');
  const { headers } = await lab.api('GET', `${dataPath(pump)}?page=1&limit=1&range=all`);
  expect(headers.get('x-total-count')).toBe('1');
});

test('back to work after a restart of the service: 0 acts; in a browser that was closed meanwhile: its address', async ({
  page,
  api,
  app,
  files,
  host,
  expectPageErrors,
}) => {
  test.skip(host !== 'console', 'only the console’s service is a program of its own');
  test.skip(!inFolder, 'a database keeps who was let in');
  expectPageErrors(/ERR_CONNECTION|WebSocket|403|LoadError/);
  const device = await makeDevice(api, await makeProject(api, 'Boiler room'), 'Pump');
  await store(api, device, { bar: 4.25 });
  await visitDevice(page, device);
  await expectChart(page, 1);
  await countedActs(page);
  await stopService(page, app);
  const again = await startAgain(page, app, files);
  await store(api, device, { bar: 4.5 });
  await expectChart(page, 2);
  expect(await acts(page), 'back after a restart').toBe(0);
  const address = page.url();
  await page.goto('about:blank');
  await again.stop();
  const { again: third } = await runAgain(app, files);
  await page.goto(address);
  await expectChart(page, 2);
  await third.stop();
});
