import type { Api } from '../../../api.ts';
import { expect, shot, test } from '../../../app.ts';
import { addLab, startLab } from '../../../lab.ts';
import { line } from '../../../steps/other-service-steps.ts';
import { barsOf, makeRule, storeBoiler } from '../../../steps/rule-steps.ts';
import { expectDone, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* Rules, notes, widgets, settings of keys and alarms go to a lab with their records, and the screens of the lab show them. */

test.use({ apart: true });

const made = async (asked: ReturnType<Api>) => ((await expectDone(asked)).data as { readonly id: string }).id;

test('brings them, names what the lab has otherwise, and leaves that as it is', async ({ page, api }) => {
  await using lab = await startLab();
  const project_id = await makeProject(api, 'Boiler room');
  const boiler = await makeDevice(api, project_id, 'Boiler 1');
  const project = `/_local/v1/projects/${project_id}`;
  const notes = `${project}/devices/${boiler.device_id}/notes`;
  await storeBoiler(api, boiler);
  await makeRule(api, boiler, 'Boiler too hot', { when: { key: 'supply', above: 85 } });
  await store(api, boiler, { supply: 95 });
  const written = { start: new Date(Date.now() - 3_600_000).toISOString(), text: 'filter changed' };
  const note = await made(api('POST', notes, { body: written }));
  const widget = {
    title: 'Supply of boiler 1',
    type: 'chart',
    sources: [{ device_id: boiler.device_id, key: 'supply' }],
    layout: { x: 0, y: 0, w: 6, h: 4 },
  };
  const chart = await made(api('POST', `${project}/widgets`, { body: widget }));
  const alarmsOf = async (of: Api) => (await expectDone(of('GET', `${project}/alarms`))).data as object[];
  await expect.poll(async () => (await alarmsOf(api)).length).toBe(1);

  await addLab(page, lab, 'Furnace lab');
  await visit(page, `#/projects/${project_id}/push`);
  const main = page.getByRole('main');
  const row = main.getByRole('table', { name: 'Plan' }).getByRole('row', { name: /Boiler 1/ });
  const plan = page.getByRole('button', { name: 'Plan', exact: true });
  await plan.click();
  await expect(main).toContainText(
    'The lab does not have the project yet: it is made there. 1 widget to send.',
  );
  for (const words of [
    '1 function to send',
    '1 setting of a key to send',
    '1 note to send',
    '1 alarm to send',
  ])
    await expect(row).toContainText(words);
  // All of it, not what fits on a line.
  const isWhole = ({ scrollHeight, clientHeight }: Element) => scrollHeight <= clientHeight;
  expect(await row.getByText('1 function to send').evaluate(isWhole)).toBe(true);
  await shot(page, 'push-rows');
  await page.getByRole('button', { name: /^Send / }).click();
  await expect(row).toContainText(/ sent$/);
  expect((await alarmsOf(lab.api)).length).toBe(1);

  // Each side writes the note anew, and the lab takes the widget away.
  const patch = (of: Api, text: string) => expectDone(of('PATCH', `${notes}/${note}`, { body: { text } }));
  await patch(api, 'filter changed, seal too');
  await patch(lab.api, 'filter and seal');
  await expectDone(lab.api('DELETE', `${project}/widgets/${chart}`));
  await plan.click();
  await expect(main).toContainText('1 widget removed in the lab, left out.');
  await expect(row).toContainText('1 note changed in the lab, as the lab has it');
  await shot(page, 'push-rows-conflict');

  // A technician looks at what the lab has.
  await visit(page, '#/other-services');
  await page
    .getByRole('row', { name: /Furnace lab/ })
    .getByRole('link')
    .first()
    .click();
  await expect(line(page)).toContainText('Furnace lab');
  await page.getByRole('main').getByRole('link', { name: 'Boiler room' }).click();
  await page.getByRole('link', { name: 'Boiler 1' }).last().click();
  await expect(barsOf(page, 'open')).toHaveCount(1);
  await shot(page, 'push-rows-lab');
});
