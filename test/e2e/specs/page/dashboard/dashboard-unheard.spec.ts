import type { Api } from '../../../api.ts';
import { expect, test } from '../../../app.ts';
import { makeWidget, sourcesOf, visitDashboard, widgetOf } from '../../../steps/dashboard-steps.ts';
import { makeDecoder, MENDED, sendHex } from '../../../steps/decoder-steps.ts';
import { losesConnection } from '../../../steps/socket-steps.ts';
import { expectDone, makeDevice, makeProject } from '../../../steps/steps.ts';

/* What widgets show of records that are others by now, though a device has as many of them. */

test.use({ apart: true });

/** Decodes all of a device again by another script. */
async function decodeAgain(api: Api, decoder: string, script: string): Promise<void> {
  await expectDone(api('PATCH', decoder, { body: { script } }));
  await expectDone(api('POST', `${decoder}/decode`, { body: {} }));
}

test('the newest records in a table are those that were decoded again, also without a connection meanwhile', async ({
  page,
  api,
  own,
}) => {
  const project_id = await makeProject(api, 'Cold store');
  const device = await makeDevice(api, project_id, 'Door 3');
  const decoder = `/_local/v1/projects/${project_id}/functions/${await makeDecoder(api, device)}`;
  await sendHex(own, device, '00d72d');
  const sources = sourcesOf('temperature', device);
  await makeWidget(api, project_id, {
    title: 'Newest',
    type: 'table',
    sources,
    layout: { shows: 'records' },
  });
  const without = await losesConnection(page);
  await visitDashboard(page, project_id);
  const newest = (value: string) =>
    expect(widgetOf(page, 'Newest').getByRole('cell', { name: value, exact: true })).toBeVisible();
  await newest('21.5');
  for (const [part, value] of [
    ['100', '2.15'],
    ['1000', '0.215'],
  ] as const) {
    await decodeAgain(api, decoder, MENDED.replace('/ 10', `/ ${part}`));
    await newest(value);
  }
  await without(() => decodeAgain(api, decoder, MENDED.replace('/ 10', '/ 5')));
  await newest('43');
});
