import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '../../app.ts';

/* What a window loads before it shows anything: more comes when it is needed (renderer/later.tsx). */

const ASSETS = 'out/renderer';
/** kB of gzip. */
const MOST = 280;
/** All that comes later. */
const LATER = /assets\/rest-[^/]+\.js$/;

// Its service ends.
test.use({ apart: true });
// The same files in every host.
test.skip(({ host }) => host !== 'console', 'the console has the same files');

/** The scripts that the page's script imports, itself first: all of them load before it runs. */
async function scriptsAtStart(): Promise<ReadonlyMap<string, Buffer>> {
  const page = await readFile(join(ASSETS, 'index.html'), 'utf8');
  const [, entry = ''] = /<script[^>]+src="\.\/([^"]+)"/.exec(page) ?? [];
  const scripts = new Map<string, Buffer>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (scripts.has(path)) continue;
    const script = await readFile(join(ASSETS, path));
    scripts.set(path, script);
    // What is imported in a call is loaded later.
    for (const [, file] of script.toString().matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g))
      waiting.push(`assets/${file}`);
  }
  return scripts;
}

test(`a window starts with at most ${MOST} kB of script`, async () => {
  const scripts = await scriptsAtStart();
  const sizes = [...scripts].map(([path, script]) => [path, gzipSync(script).length / 1000] as const);
  const sum = sizes.reduce((all, [, size]) => all + size, 0);
  console.log(`At the start: ${Math.round(sum)} kB of script in ${sizes.length} files.`);
  expect([...scripts.keys()].filter((path) => LATER.test(path))).toEqual([]);
  expect(sum, sizes.map(([path, size]) => `${path} ${size.toFixed(1)}`).join('\n')).toBeLessThan(MOST);
});

test('the rest is there by itself soon after, so that nothing waits for the service', async ({
  page,
  expectPageErrors,
  app,
}) => {
  const parts = (await readdir(join(ASSETS, 'assets'))).filter((file) => file.endsWith('.js'));
  const missing = async () => {
    const names = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
    return parts.filter((part) => !names.some((name) => name.endsWith(`/${part}`)));
  };
  // One that is on its way when the service ends would be lost.
  await expect.poll(missing).toEqual([]);
  expectPageErrors(/ERR_CONNECTION|WebSocket|403/);
  process.kill(app.ready.pid, 'SIGTERM');
  await expect(page.getByRole('status', { name: /lost/ })).toBeVisible();
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});
