import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startAgain } from '../../../electron/shell/end/start-again.ts';
import { FakeApp } from './fakes.ts';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'fieldbench-again-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Of no process. */
const GONE = 4_194_305;

test('an installed program is started anew by Electron, with the words that it is given', () => {
  const app = new FakeApp();
  startAgain(app, undefined, { appImage: '' });
  startAgain(app, ['--strict'], { appImage: '' });
  expect(app.asked).toEqual([['relaunch'], ['relaunch', { args: ['--strict'] }]]);
});

test('an AppImage is started anew by its own file, once the process in its mount has ended', async () => {
  const app = new FakeApp();
  const appImage = join(folder, 'Field bench.AppImage');
  const said = join(folder, 'said');
  writeFileSync(appImage, `#!/bin/sh\nprintf '%s|' "$@" > '${said}.part' && mv '${said}.part' '${said}'\n`);
  chmodSync(appImage, 0o700);
  startAgain(app, undefined, { appImage, pid: GONE, argv: ['/tmp/.mount_x/fieldbench', '--data', '/a b'] });
  const words = await vi.waitFor(() => readFileSync(said, 'utf8'), { timeout: 30_000 });
  expect([words, app.asked]).toEqual(['--data|/a b|', []]);
});
