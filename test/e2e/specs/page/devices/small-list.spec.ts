import { expect, test } from '../../../app.ts';
import { expectDone, makeDevice, makeProject, store, visit } from '../../../steps/steps.ts';

/* What of a project's list is left where there is little room. */

const LONG = 'Messstelle Vorlauf Kesselhaus Nord, Wärmemengenzähler hinter dem dritten Verteiler links';
const TAGS = ['line-1', 'hall-a', 'hinter-dem-dritten-verteiler-links', 'kalibriert-2026'];

test('values of the key of the curves stay, newest records of recordings are whole, and short tags are', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const begun = Date.now() - 600_000;
  const time = (n: number) => new Date(begun + n * 60_000).toISOString();
  for (const n of [1, 2, 3]) {
    const device = await makeDevice(api, project_id, `PT-${100 + n}`);
    await store(api, device, { timestamp: time(n), humidity: 40, temperature: 20 + (n === 3 ? 9 : n / 100) });
  }
  const { device_id } = await makeDevice(api, project_id, LONG, { tags: TAGS });
  await expectDone(
    api('POST', `/_local/v1/projects/${project_id}/devices/${device_id}/records?format=csv`, {
      body: `time,humidity,temperature\n${time(4)},40,20\n`,
      type: 'text/csv',
    }),
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await visit(page, `#/projects/${project_id}`);
  const list = page.getByRole('table', { name: 'Devices' });
  const header = (name: string | RegExp) => list.getByRole('columnheader', { name, exact: true });
  await expect(header(/^temperature, last day/)).toBeVisible();
  const recording = list.getByRole('row').filter({ hasText: LONG.slice(0, 12) });
  const cut = await recording
    .getByText(/^newest record/)
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(cut).toBeLessThanOrEqual(0);
  const tag = await recording.getByText('line-1', { exact: true }).boundingBox();
  expect(tag?.width).toBeGreaterThan(25);

  await page.setViewportSize({ width: 820, height: 600 });
  await expect(header('temperature')).toBeVisible();
  await expect(header('humidity')).toHaveCount(0);
});
