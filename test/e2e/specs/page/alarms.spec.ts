import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { Alarm, AlarmAct, AlarmsOfAll } from '#shared/operations/metadata/alarms.ts';
import { expect, test } from '../../app.ts';
import { look } from '../../look.ts';
import { tabTo } from '../../steps/keyboard-steps.ts';
import { answerOf, type Answered } from '../../steps/socket-steps.ts';
import { expectDone, makeDevice, makeProject, visit, type DeviceIds } from '../../steps/steps.ts';

/* The list of alarms, and what a window tells of them: of a service whose alarms are the story’s own. */

test.skip(({ host }) => host !== 'console', 'only the console asks over a socket that a test can answer');

const NOW = Date.now();
const time = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

const act = (more: Partial<AlarmAct> = {}): AlarmAct => ({
  key: randomUUID(),
  event: 'raised',
  act: { do: 'notify', sound: true },
  state: 'done',
  tries: 1,
  next: null,
  error: null,
  ...more,
});

const alarm = (of: DeviceIds, seconds: number, more: Partial<Alarm> = {}): Alarm => ({
  id: randomUUID(),
  ...of,
  project: 'Boiler room',
  device: 'Boiler 1',
  function_id: '3f1a1c7e-0000-4000-8000-000000000001',
  rule: 'Boiler too hot',
  condition: { when: { key: 'supply', above: 85 }, for_s: 600 },
  silenced_until: null,
  state: 'open',
  start: time(seconds - 600),
  fired: time(seconds),
  end: null,
  raised: time(seconds),
  amended: null,
  withdrawn: null,
  acknowledged: null,
  acts: [],
  ...more,
});

interface Story extends Answered {
  alarms: Alarm[];
}

const isDue = ({ state, acknowledged }: Alarm) => state === 'open' || acknowledged === null;

/** A service with these alarms, which can be acknowledged. */
async function tellStory(page: Page, first: readonly Alarm[]): Promise<Story> {
  const held = { alarms: [...first] };
  const shown = (state: string | undefined) =>
    held.alarms.filter((one) => (state === 'due' ? isDue(one) : state === undefined || one.state === state));
  const answered = await answerOf(page, {
    'alarms.all': ({ state, limit }): AlarmsOfAll => ({
      as_of: new Date().toISOString(),
      open: shown('open').length,
      unacknowledged: held.alarms.filter(({ acknowledged }) => acknowledged === null).length,
      due: shown('due').length,
      total: shown(state).length,
      alarms: shown(state).slice(0, Number(limit ?? 100)),
    }),
    'alarms.list': ({ device_id, function_id, state }) =>
      shown(state).filter(
        (one) =>
          (device_id === undefined || one.device_id === device_id) &&
          (function_id === undefined || one.function_id === function_id),
      ),
    'alarms.acknowledge': ({ alarm_id, text = '' }) => {
      const at = held.alarms.findIndex(({ id }) => id === alarm_id);
      const before = held.alarms[at];
      if (!before) return new Error('There is no such alarm.');
      if (text === 'refuse') return new Error('text must be of another kind');
      const after = { ...before, acknowledged: { at: new Date().toISOString(), by: 'app', text } };
      held.alarms[at] = after;
      return after;
    },
  });
  return Object.assign(held, answered);
}

async function place(api: Parameters<typeof makeProject>[0]): Promise<DeviceIds> {
  const project_id = await makeProject(api, 'Boiler room');
  const { device_id } = await makeDevice(api, project_id, 'Boiler 1');
  return { project_id, device_id };
}

const rows = (page: Page) => page.getByRole('table', { name: 'Alarms' }).getByRole('row');

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

declare global {
  interface Window {
    notified: { readonly title: string; readonly body: string; readonly tag: string }[];
    tones: number;
    lastNotice: EventTarget | null;
  }
}

/** A desktop that lets the page notify, or has still to be asked, and that remembers what it was told. */
async function listenToDesktop(page: Page, permission: NotificationPermission): Promise<void> {
  await page.addInitScript((given) => {
    let now: NotificationPermission = given;
    window.notified = [];
    window.tones = 0;
    window.lastNotice = null;
    class Told extends EventTarget {
      static get permission() {
        return now;
      }
      static requestPermission() {
        now = now === 'default' ? 'granted' : now;
        return Promise.resolve(now);
      }
      constructor(title: string, { body = '', tag = '' }: NotificationOptions) {
        super();
        window.notified.push({ title, body, tag });
        window.lastNotice = this;
      }
      close() {}
    }
    Object.assign(window, { Notification: Told });
    class Counted extends OscillatorNode {
      override start(when?: number): void {
        window.tones++;
        super.start(when);
      }
    }
    Object.assign(window, { OscillatorNode: Counted });
  }, permission);
}

test('alarms that are raised while the window is open are told once, many in one, and lead to the list', async ({
  page,
  api,
}) => {
  const of = await place(api);
  const told = () => page.evaluate(() => window.notified.map(({ title }) => title));
  const tones = () => page.evaluate(() => window.tones);
  await listenToDesktop(page, 'default');
  const story = await tellStory(page, [alarm(of, -60, { acts: [act()] })]);
  const changed = () => story.tell({ topic: 'alarms.changed', payload: { account_id: '', ...of } });
  await visit(page, '#/alarms');
  await expect(rows(page)).toHaveCount(2);
  // A browser asks at a click alone.
  await page.getByRole('button', { name: 'Allow notifications…' }).click();
  await expect(page.getByText('This window notifies of alarms')).toBeVisible();
  const raised = { raised: new Date(Date.now() + 1_000).toISOString() };
  const hot = alarm(of, 0, { ...raised, acts: [act()] });
  story.alarms = [hot, alarm(of, 0, { ...raised, rule: 'Quiet' }), ...story.alarms];
  changed();
  await expect.poll(told).toEqual(['Alarm: Boiler too hot, Boiler 1']);
  await expect.poll(tones).toBe(2);
  // Told again it is not, whatever becomes of it; of many there is one.
  story.alarms = [
    ...Array.from({ length: 5 }, (_, at) => alarm(of, 0, { ...raised, rule: `Rule ${at}`, acts: [act()] })),
    ...story.alarms.map((one) => (one === hot ? { ...one, amended: time(0) } : one)),
  ];
  changed();
  await expect.poll(told).toEqual(['Alarm: Boiler too hot, Boiler 1', '5 alarms']);
  expect(await page.evaluate(() => window.notified[1]?.body)).toMatch(/and 2 more$/);
  // Off it is silent, also once the page is loaded anew; a click leads to the list.
  await page.getByRole('switch', { name: 'Sound, where the rule has one' }).press('Space');
  await visit(page, '#/');
  const heard = await tones();
  story.alarms = [alarm(of, 0, { ...raised, rule: 'Last', acts: [act()] }), ...story.alarms];
  changed();
  await expect.poll(told).toHaveLength(3);
  expect(await tones()).toBe(heard);
  await page.evaluate(() => void window.lastNotice?.dispatchEvent(new Event('click')));
  await expect(page).toHaveURL(new RegExp(`#/alarms\\?open=${story.alarms[0]?.id}$`));
  await visit(page, '#/service/settings');
  await expect(page.getByRole('switch', { name: 'Sound, where the rule has one' })).not.toBeChecked();
  await look(page, 'service-settings-alarms');
});

test('where the browser lets no page notify, that is said', async ({ page, api }) => {
  const of = await place(api);
  await listenToDesktop(page, 'denied');
  await tellStory(page, [alarm(of, -60)]);
  await visit(page, '#/alarms');
  await expect(page.getByText(/The browser does not let this window notify/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Allow notifications…' })).toHaveCount(0);
});
