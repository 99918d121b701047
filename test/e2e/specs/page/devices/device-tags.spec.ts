import { expect, test } from '../../../app.ts';
import { expectDone, makeProject, visit } from '../../../steps/steps.ts';

/* Tags below a device's name, where there is no room for all of them. */

test('short tags are whole beside a long one, which alone is cut', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  const long = 'a tag that says where it stands, since when and who put it there';
  const body = { devices: [{ name: 'PT-101', tags: ['cellar', long] }] };
  await expectDone(api('POST', `/_local/v1/projects/${project_id}/devices`, { body }));
  await page.setViewportSize({ width: 820, height: 600 });
  await visit(page, `#/projects/${project_id}`);
  const isCut = (tag: string) =>
    page
      .getByRole('table', { name: 'Devices' })
      .getByText(tag, { exact: true })
      .evaluate((element) => element.scrollWidth > element.clientWidth);
  await expect.poll(() => isCut(long)).toBe(true);
  expect(await isCut('cellar')).toBe(false);
});
