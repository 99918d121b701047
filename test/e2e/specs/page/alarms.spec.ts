import { randomUUID } from 'node:crypto';
import { expect, test } from '../../app.ts';
import { look } from '../../look.ts';
import { act, alarm, place, rows, tellStory, time } from '../../steps/alarm-steps.ts';
import { tabTo } from '../../steps/keyboard-steps.ts';
import { expectDone, makeProject, visit } from '../../steps/steps.ts';

/* The list of alarms: of a service whose alarms are the story’s own. */

test.skip(({ host }) => host !== 'console', 'only the console asks over a socket that a test can answer');
// A window whose socket is answered by a test stays so for good.
test.use({ apart: true });

test('each alarm says since when, why, who saw it, and what became of its acts', async ({ page, api }) => {
  const of = await place(api);
  const url = 'https://hooks.example.org/secret';
  const story = await tellStory(page, [
    alarm(of, -60, { acts: [act(), act({ act: { do: 'note' } })] }),
    alarm(of, -4_000, {
      rule: 'Pump silent',
      condition: { when: { silent_s: 900 } },
      state: 'ended',
      end: time(-3_000),
      amended: time(-2_000),
      acts: [
        act({
          act: { do: 'webhook', url },
          state: 'waiting',
          tries: 4,
          next: time(900),
          error: 'it answered 503',
        }),
      ],
    }),
    alarm(of, -90_000, {
      rule: 'Door open',
      condition: null,
      state: 'withdrawn',
      end: time(-89_000),
      withdrawn: time(-100),
      acknowledged: { at: time(-80), by: 'app', text: 'Late file of the logger' },
    }),
    alarm(of, -200_000, { state: 'ended', end: time(-190_000), silenced_until: time(3_600) }),
  ]);
  await visit(page, '#/alarms');
  await expect(rows(page)).toHaveCount(4);
  await expect(rows(page).nth(1)).toContainText('supply above 85 for 10 min');
  await expect(rows(page).nth(1)).toContainText(/for 11 min( \d+ s)?/);
  await expect(rows(page).nth(1)).toContainText('2 acts done');
  await expect(rows(page).nth(2)).toContainText('Amended at');
  await expect(rows(page).nth(2)).toContainText(
    'webhook to hooks.example.org failed 4 times: it answered 503',
  );
  await expect(rows(page).nth(2)).not.toContainText('secret');
  await expect(rows(page).nth(3)).toContainText('Rule silenced until');
  await expect(page.getByRole('navigation', { name: 'Main' })).toContainText('Alarms (3)');
  await look(page, 'alarms-many-kinds');
  const states = page.getByRole('radiogroup', { name: 'State' });
  await states.getByText('Withdrawn').click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1)).toContainText('Withdrawn at');
  await expect(rows(page).nth(1)).toContainText('By a rule that was changed or deleted since');
  await expect(rows(page).nth(1)).toContainText(/Seen at .* by app: Late file of the logger/);
  // The address says what is shown.
  await expect(page).toHaveURL(/#\/alarms\?state=withdrawn$/);
  await states.getByText('All', { exact: true }).click();
  await page.getByRole('searchbox', { name: 'Search alarms' }).fill('pump');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('searchbox', { name: 'Search alarms' }).fill('nothing like it');
  await expect(page.getByText('No alarm matches “nothing like it”.')).toBeVisible();
  story.alarms = [];
  story.tell({ topic: 'alarms.changed', payload: { account_id: '', ...of } });
  await expect(page.getByText('No alarms', { exact: true })).toBeVisible();
  await look(page, 'alarms-none');
});

test('by keyboard several are acknowledged at once, with words; a refusal is said and loses none', async ({
  page,
  api,
}) => {
  const of = await place(api);
  await tellStory(page, [alarm(of, -60), alarm(of, -120), alarm(of, -180)]);
  await visit(page, '#/alarms');
  await expect(rows(page)).toHaveCount(4);
  await tabTo(page, rows(page).nth(1).getByRole('link'));
  await page.keyboard.press('Space');
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByRole('region', { name: 'Selected alarms' })).toContainText('2 selected');
  await page.keyboard.press('a');
  const dialog = page.getByRole('dialog', { name: 'Acknowledge 2 alarms' });
  const words = dialog.getByRole('textbox', { name: 'What was found, or done' });
  await expect(words).toBeFocused();
  await page.keyboard.type('refuse');
  await page.keyboard.press('Enter');
  await expect(dialog).toContainText('must be of another kind');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Both valves shut');
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText('2 alarms acknowledged')).toBeVisible();
  await expect(page.getByRole('table', { name: 'Alarms' }).getByText(/by app: Both valves shut/)).toHaveCount(
    2,
  );
});

test('a thousand alarms are a list with few rows, and say how many more there are', async ({ page, api }) => {
  const of = await place(api);
  await tellStory(
    page,
    Array.from({ length: 1_200 }, (_, at) => alarm(of, -60 - at * 30, { rule: `Rule ${at}` })),
  );
  await visit(page, '#/alarms');
  await expect(page.getByRole('table', { name: 'Alarms' })).toHaveAttribute('aria-rowcount', '1001');
  expect(await rows(page).count()).toBeLessThan(60);
  await expect(page.getByText('The newest 1,000 of 1,200 alarms.')).toBeVisible();
  await look(page, 'alarms-thousand');
  await page.keyboard.press('w');
  await expect(page.getByRole('list', { name: 'Alarms to be seen' }).getByRole('listitem')).toHaveCount(10);
  await expect(page.getByRole('dialog', { name: 'Alerts' })).toContainText('All 1,200 alarms');
});

const MANY = 10_000;

test('of ten thousand devices those with alarms are marked, in the tree, in the list and at their head', async ({
  page,
  api,
}) => {
  const project_id = await makeProject(api, 'Plant');
  const devices = Array.from({ length: MANY }, (_, at) => ({ name: `Sensor ${at + 1}`, tags: ['sensor'] }));
  const { data } = await expectDone(
    api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }),
  );
  const ids = (data as { metadata: { device_id: string } }[]).map(({ metadata }) => metadata.device_id);
  const named = (at: number) => ({ device: `Sensor ${at + 1}`, project: 'Plant' });
  const many = Array.from({ length: 1_000 }, (_, at) =>
    alarm({ project_id, device_id: ids[at] ?? '' }, -60 - at, named(at)),
  );
  const first = many[0];
  await tellStory(page, [
    ...many.slice(0, 999),
    ...(first ? [{ ...first, id: randomUUID(), rule: 'Other' }] : []),
  ]);
  await visit(page, `#/projects/${project_id}`);
  const tree = page.getByRole('tree');
  await expect(tree.getByRole('img', { name: '1,000 open alarms' })).toBeVisible();
  const table = page.getByRole('table', { name: 'Devices' });
  await expect(
    table.getByRole('row', { name: /Sensor 1 / }).getByRole('img', { name: '2 open alarms' }),
  ).toBeVisible();
  await expect(table).toHaveAttribute('aria-rowcount', String(MANY + 1));
  await look(page, 'alarms-ten-thousand');
  await table.getByRole('link').first().press('End');
  await expect(table.getByRole('link', { name: 'Sensor 10000' })).toBeFocused();
  await expect(
    table.getByRole('row', { name: /Sensor 10000/ }).getByRole('img', { name: /alarm/ }),
  ).toHaveCount(0);
  await visit(page, `#/projects/${project_id}/devices/${ids[1]}`);
  await page.getByTestId('device-facts').getByRole('link', { name: '1 open alarm' }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).nth(1)).toContainText('Sensor 2');
});
