import type { Page } from '@playwright/test';
import { expect, test } from '../../app.ts';
import { look } from '../../look.ts';
import { act, alarm, place, rows, tellStory, time } from '../../steps/alarm-steps.ts';
import { visit } from '../../steps/steps.ts';

/* What a window tells of alarms: by the desktop, and by a sound. */

test.skip(({ host }) => host !== 'console', 'only the console asks over a socket that a test can answer');
// A window whose socket is answered by a test stays so for good.
test.use({ apart: true });

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
  // As long as one sounds no other does.
  await page.evaluate(() => navigator.locks.request('fieldbench-alarm-sound', () => undefined));
  // Told again it is not, whatever becomes of it; of many there is one.
  story.alarms = [
    ...Array.from({ length: 5 }, (_, at) => alarm(of, 0, { ...raised, rule: `Rule ${at}`, acts: [act()] })),
    ...story.alarms.map((one) => (one === hot ? { ...one, amended: time(0) } : one)),
  ];
  changed();
  await expect.poll(told).toEqual(['Alarm: Boiler too hot, Boiler 1', '5 alarms']);
  expect(await page.evaluate(() => window.notified[1]?.body)).toMatch(/and 2 more$/);
  // It sounds a moment after it is told.
  await expect.poll(tones).toBe(4);
  // Off it is silent, also once the page is loaded anew; a click leads to the list.
  await page.getByRole('switch', { name: 'Sound, where the rule has one' }).press('Space');
  await visit(page, '#/');
  story.alarms = [alarm(of, 0, { ...raised, rule: 'Last', acts: [act()] }), ...story.alarms];
  changed();
  await expect.poll(told).toHaveLength(3);
  expect(await tones()).toBe(4);
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
