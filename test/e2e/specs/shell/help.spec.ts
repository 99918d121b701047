import type { Page } from '@playwright/test';
import { expect, test } from '../../app.ts';
import { WITH_ELECTRON } from '../../steps/stand-in-steps.ts';

/** A person chooses three items of Help at SIGUSR2; the box of the last is said on stderr. */
const CHOOSE = WITH_ELECTRON(
  ['Fieldbench &Documentation', 'L&icences', '&About Fieldbench']
    .map((label) => `electron.BrowserWindow.getAllWindows()[0].chooseInMenu(${JSON.stringify(label)});`)
    .join(' '),
);

test.beforeAll(
  () => void (process.env['NODE_OPTIONS'] = `--import data:text/javascript,${encodeURIComponent(CHOOSE)}`),
);
test.afterAll(() => void delete process.env['NODE_OPTIONS']);

test('Help opens documentation and licences that came along, and says which version this is and of what day', async ({
  page,
  app,
  host,
}) => {
  test.skip(host !== 'stand-in', 'a menu of the system is used by a person alone');
  const pages = new Map<string, Page>();
  const others = () =>
    page
      .context()
      .pages()
      .filter((one) => one !== page);
  process.kill(app.ready.pid, 'SIGUSR2');
  await expect(async () => {
    for (const one of others()) pages.set(new URL(one.url()).pathname, one);
    expect([...pages.keys()]).toEqual(expect.arrayContaining(['/docs/index.html', '/licences.txt']));
  }).toPass();
  const licences = pages.get('/licences.txt')!;
  await expect(licences.locator('body')).toContainText('So much of Fieldbench itself.');
  const docs = pages.get('/docs/index.html')!;
  await expect(docs.getByRole('link', { name: 'Install, update, remove' })).toBeVisible();
  await docs.getByRole('link', { name: 'Install, update, remove' }).click();
  await expect(docs.getByRole('heading', { name: 'What stays after it was removed' })).toBeAttached();
  // Its own style, which the policy of pages lets through.
  await expect(docs.locator('body')).toHaveCSS('max-width', /\d+px/);
  await expect(() =>
    expect(app.output?.()).toMatch(/Fieldbench \d+\.\d+\.\d+\nOf \d+ \w+ \d{4}\nWith Electron[^]*→ OK/),
  ).toPass();
});

test('the licences of all that ships are beside the app’s page', async ({ page, host }) => {
  test.skip(host !== 'stand-in', 'the browser console has no menu that leads there');
  const text = await page.evaluate(async () => (await fetch('./licences.txt')).text());
  expect(text).toMatch(/^MIT License[^]*Fieldbench/);
  for (const library of ['fastify', 'react', 'keytar', 'uplot']) expect(text).toContain(`\n${library} `);
});
