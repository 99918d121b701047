import { expect, test } from '../../app.ts';
import { createApi } from '../../api.ts';
import { startInstalled, whyNoInstalled } from '../../hosts/installed.ts';
import { startProgram } from '../../program.ts';
import { makeDevice, makeProject, store, visitDevice } from '../../steps/steps.ts';

/* The host of what was installed, where nothing is: over the stand-in as a program of its own. */

const PROGRAM = 'test/electron-stand-in/installed.sh';

test('an installed program is driven by its switches alone, saves what it is asked to, and ends when told', async ({
  files,
  host,
}) => {
  test.skip(
    host !== 'stand-in' || process.platform === 'win32',
    'a program that stands in for what was installed',
  );
  await using started = new AsyncDisposableStack();
  const errors: string[] = [];
  const { page, ready, command, env, output } = await startInstalled(PROGRAM)({
    files,
    started,
    watch: (window) => window.on('pageerror', ({ message }) => void errors.push(message)),
    browser: () => Promise.reject(new Error('An installed app brings a browser of its own.')),
  });
  expect(command[0]).toBe(PROGRAM);
  const api = createApi(ready);
  const device = await makeDevice(api, await makeProject(api, 'Line 2'), 'Compressor');
  await store(api, device, [{ timestamp: '2026-01-05T08:00:00Z', bar: 1.5 }]);
  await visitDevice(page, device);
  await page.getByRole('button', { name: 'Export…' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  expect((await saving).suggestedFilename()).toBe('Compressor_2026-01-05.csv');
  await expect(page.getByText('1 record in Compressor_2026-01-05.csv.')).toBeVisible();
  const second = startProgram(command, env);
  expect(await second.end, second.output()).toBe('0');
  expect(second.output()).toContain('runs already over');
  await started.disposeAsync();
  expect([errors, output?.()]).toEqual([[], expect.not.stringContaining('a person is asked')]);
});

test('a program that is not there is no reason to leave its tests out', () => {
  expect(whyNoInstalled('')).toContain('names no program');
  expect(() => whyNoInstalled('/opt/nothing/fieldbench')).toThrow(
    '/opt/nothing/fieldbench, which is no program',
  );
});
