import type { Page } from '@playwright/test';
import { expect, shot, test } from '../../../app.ts';
import { expectDone, makeDevice, makeProject, visit, visitDevice } from '../../../steps/steps.ts';

/* Ctrl K: everything can be gone to and done from everywhere. */

const ask = (page: Page) => page.getByRole('textbox', { name: 'Go to or do' });
const labels = (page: Page) => page.locator('.mantine-Spotlight-actionLabel');
const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });

async function open(page: Page, words: string): Promise<void> {
  // The one before has closed.
  await expect(ask(page)).toHaveCount(0);
  await page.keyboard.press('ControlOrMeta+k');
  await ask(page).fill(words);
}

test('the palette does what the screen can do, and says its keys', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant North');
  const device = await makeDevice(api, project_id, 'PT-107');
  await makeDevice(api, project_id, 'PT-108');
  await visitDevice(page, device);
  await expect(page.getByRole('button', { name: 'Next device' })).toBeEnabled();
  await open(page, '');
  await expect(labels(page)).toContainText(['Export…', 'Delete device…', 'New device']);
  await shot(page, 'palette-device');
  await ask(page).fill('next');
  await expect(page.getByRole('button', { name: /Next device PT-108 \]/ })).toBeVisible();
  await ask(page).press('Enter');
  await expect(heading(page, 'PT-108')).toBeFocused();
  await open(page, 'export');
  await expect(labels(page).first()).toHaveText('Export…');
  await ask(page).press('Enter');
  await expect(page.getByRole('dialog', { name: /^Export/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await open(page, 'dark');
  await expect(labels(page)).toHaveText(['Theme: dark']);
  await ask(page).press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await open(page, 'hide proj');
  await expect(labels(page)).toHaveText(['Hide projects and devices']);
  await ask(page).press('Enter');
  await expect(page.getByRole('tree')).toHaveCount(0);

  // The help of keys lists what is registered here.
  await expect(ask(page)).toHaveCount(0);
  await page.keyboard.press('?');
  const help = page.getByRole('table', { name: 'Keyboard shortcuts' });
  await expect(help.getByRole('row', { name: 'Next device ]' })).toBeVisible();
  await expect(help.getByRole('row', { name: 'Show projects and devices Ctrl B' })).toBeVisible();
});

test('who types on at once types into the palette, and nothing else hears the keys', async ({
  page,
  api,
}) => {
  await makeProject(api, 'Plant North');
  await visit(page, '#/');
  // What a start does without comes a moment later.
  await page.locator('html[data-whole]').waitFor({ state: 'attached' });
  await page.evaluate(async () => {
    const key = (name: string, ctrlKey: boolean) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key: name, ctrlKey, bubbles: true, cancelable: true }),
      );
    // Two keys within one frame, each a task of its own. The n of a page makes a project.
    key('k', true);
    await new Promise((next) => setTimeout(next, 0));
    key('n', false);
  });
  await expect(ask(page)).toBeFocused();
  await expect(page.getByRole('dialog', { name: 'New project' })).toHaveCount(0);
});

test('keys after that of the palette do nothing elsewhere while its code is on its way', async ({ page }) => {
  const code = Promise.withResolvers<void>();
  await page.route('**/assets/rest-*.js', async (route) => {
    await code.promise;
    await route.continue();
  });
  await page.reload();
  await expect(page.getByRole('banner')).toBeVisible();
  await page.keyboard.press('ControlOrMeta+k');
  // The n of a page makes a project.
  await page.keyboard.press('n');
  code.resolve();
  await expect(ask(page)).toBeFocused();
  await expect(page.getByRole('dialog', { name: 'New project' })).toHaveCount(0);
});

test('the palette finds devices of all projects, equal names by their ids, and saved views', async ({
  page,
  api,
}) => {
  const north = await makeProject(api, 'Plant North');
  const south = await makeProject(api, 'Plant South');
  const one = await makeDevice(api, north, 'Twin');
  const other = await makeDevice(api, north, 'Twin');
  await makeDevice(api, south, 'Twin', { tags: ['line-3'] });
  const address = `#/projects/${north}/devices/${other.device_id}/table`;
  await expectDone(api('POST', '/_local/v1/views', { body: { name: 'Monday morning', address } }));
  await open(page, 'twin');
  for (const { device_id } of [one, other])
    await expect(
      page.getByRole('button', { name: `Twin Plant North · ${device_id.slice(0, 4)}` }),
    ).toBeVisible();
  await ask(page).fill('twin south');
  await expect(labels(page)).toHaveText(['Twin']);
  // A project by its name comes before the devices in it.
  await ask(page).fill('plant south');
  await expect(labels(page).first()).toHaveText('Plant South');
  await ask(page).fill('monday');
  await ask(page).press('Enter');
  await expect(page.getByRole('tab', { name: 'Table' })).toHaveAttribute('aria-selected', 'true');
  expect(page.url()).toContain(other.device_id);
});

const MANY = 10_000;

test('a key pressed in the palette is answered at once over ten thousand devices', async ({ page, api }) => {
  const project_id = await makeProject(api, 'Plant');
  for (let from = 0; from < MANY; from += 2_000) {
    const devices = Array.from({ length: 2_000 }, (_, n) => ({
      name: `Sensor ${from + n + 1}`,
      tags: ['hall'],
    }));
    await expectDone(api('POST', `/_local/v1/projects/${project_id}/devices`, { body: { devices } }));
  }
  await visit(page, '#/service');
  await expect(page.getByRole('img', { name: '10,000 never' })).toHaveText('10,000');
  await open(page, 'sensor 1');
  await expect(page.locator('.mantine-Spotlight-actionsGroup').first()).toHaveAttribute(
    'style',
    /Devices: 6 of 3,440/,
  );
  const took = await page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('[aria-label="Go to or do"]');
    const value = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');
    const times: number[] = [];
    for (const text of ['s', 'se', 'sen', 'sens', 'senso', 'sensor', 'sensor 9', 'sensor 99', 'sensor 999']) {
      const begun = performance.now();
      value?.set?.call(input, text);
      input?.dispatchEvent(new Event('input', { bubbles: true }));
      times.push(performance.now() - begun);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    return times;
  });
  console.log(`A key over ten thousand devices: ${took.map((ms) => ms.toFixed(1)).join(', ')} ms.`);
  await ask(page).fill('sensor 9999');
  // Behind it may stand one whose id begins so.
  await expect(labels(page).first()).toHaveText('Sensor 9999');
});
