import type { Page } from '@playwright/test';
import type { Api } from '../../api.ts';
import { expect, shot, test } from '../../app.ts';
import { expectDone, makeProject, visit, type MadeDevice } from '../../steps.ts';

/* Which device of many is not like the others: seen in the list of a project, and on the wall of all curves. */

const QUARTER_MS = 900_000;
const LONG = 'Messstelle Vorlauf Kesselhaus Nord, Wärmemengenzähler hinter dem dritten Verteiler links';
const HEBREW = 'חיישן טמפרטורה באולם הצפוני';

async function makeDevices(api: Api, project_id: string, devices: readonly object[]): Promise<MadeDevice[]> {
  const made = await expectDone(
    api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }),
  );
  return (made.data as { id: string; metadata: { device_token: string } }[]).map(({ id, metadata }) => ({
    project_id,
    device_id: id,
    token: metadata.device_token,
  }));
}

/** A week of a sensor in a file, in steps of half an hour, that drifts by so much in its last day. */
function recording(n: number, drift: number): string {
  const end = Date.UTC(2026, 9, 23, 22, 15);
  const lines = Array.from({ length: 192 }, (_, i) => {
    const part = Math.max(0, (i - 96) / 95);
    const noise = ((i * 7919 + n * 104_729) % 21) / 100;
    const values = [
      (18 + Math.sin(i / 15) + noise + drift * part).toFixed(2),
      (48 + ((n * 37 + i) % 9) / 3).toFixed(1),
      (3.5 + (n % 5) / 100).toFixed(2),
    ];
    return [new Date(end - (191 - i) * QUARTER_MS).toISOString(), ...values].join(',');
  });
  return `time,temperature,humidity,battery\n${lines.join('\n')}\n`;
}

/** Sixty recordings in a plant; the 37th drifts. */
async function makePlant(api: Api, names: (n: number) => string = (n) => `PT-${101 + n}`): Promise<string> {
  const project_id = await makeProject(api, 'Plant');
  const devices = await makeDevices(
    api,
    project_id,
    Array.from({ length: 60 }, (_, n) => ({ name: names(n), tags: [`line-${1 + (n % 5)}`, 'hall-a'] })),
  );
  for (const [n, { device_id }] of devices.entries())
    await expectDone(
      api('POST', `/_local/v1/projects/${project_id}/devices/${device_id}/records?format=csv`, {
        body: recording(n, n === 36 ? 7 : 0),
        type: 'text/csv',
      }),
    );
  const [first] = devices;
  if (!first) throw new Error('no device was made');
  await expectDone(
    api('PATCH', `/_local/v1/projects/${project_id}/devices/${first.device_id}/key-settings`, {
      body: {
        key: 'temperature',
        shown_as: 'Temp. supply',
        unit: '°C',
        decimals: 1,
        low: 16,
        high: 22,
        apply_to: 'project',
      },
    }),
  );
  return project_id;
}

const list = (page: Page) => page.getByRole('table', { name: 'Devices' });
const wall = (page: Page) => page.getByRole('list', { name: 'Devices' });
const header = (page: Page, name: string | RegExp) => list(page).getByRole('columnheader', { name });

test('the one of sixty recordings that drifts is on top after one press, without any setting', async ({
  page,
  api,
}) => {
  const project_id = await makePlant(api, (n) => (n === 3 ? LONG : n === 4 ? HEBREW : `PT-${101 + n}`));
  await visit(page, `#/projects/${project_id}`);
  await expect(list(page)).toBeVisible();
  await expect(header(page, /^Temp. supply, last day/)).toBeVisible();
  await expect(page.getByRole('button', { name: '1 unlike the others in Temp. supply' })).toBeVisible();
  await shot(page, 'devices-alike');

  await header(page, 'Deviation').getByRole('button').click();
  await expect(list(page).getByRole('link').first()).toHaveText('PT-137');
  await shot(page, 'devices-unlike');
});
