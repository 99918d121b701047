import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SYSTEMS, fileFor, type System } from '../../../scripts/installed/systems.mjs';
import { updateWhileItRuns } from '../../../scripts/installed/update.mjs';
import { findChromium } from '../../../scripts/lib/chromium.mjs';
import { CLI, inProject } from '../../../scripts/lib/project.mjs';
import { run } from '../../../scripts/lib/run.mjs';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-installed-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

test('no system kills an app to install or to remove it', () => {
  for (const system of Object.values(SYSTEMS)) {
    const commands = [...system.install('/dist/file', ['sudo']), ...system.uninstall(['sudo'])];
    expect(commands.length).toBeGreaterThan(0);
    expect(commands.flat().join(' ')).not.toMatch(/kill|Stop-Process/i);
  }
});

test('on Windows the file that people have from elsewhere is asked who signed it, as the program is', () => {
  const commands = SYSTEMS.win32!.signature!('C:\\fieldbench.exe', 'D:\\setup.exe').map((words) =>
    words.join(' '),
  );
  expect(commands).toEqual([
    expect.stringContaining("'C:\\fieldbench.exe'"),
    expect.stringContaining("'D:\\setup.exe'"),
  ]);
});

test('the one file of a system is taken, and more than one or none is said', async () => {
  const dist = await mkdtemp(join(folder, 'dist-'));
  const { linux } = SYSTEMS;
  const inDist = () => fileFor(linux!, dist);
  expect(inDist).toThrow('has 0 files for this system');
  for (const name of ['SHA256SUMS', 'fieldbench_0.1.0_amd64.deb', 'Fieldbench-0.1.0-x64-setup.exe'])
    await writeFile(join(dist, name), '');
  expect(inDist()).toBe(join(dist, 'fieldbench_0.1.0_amd64.deb'));
  await writeFile(join(dist, 'fieldbench_0.1.1_amd64.deb'), '');
  expect(inDist).toThrow('has 2 files for this system');
});

const canRun = process.platform === 'linux' && findChromium() !== null && existsSync(CLI);

describe.runIf(canRun)('an app that runs, on the stand-in, while it is installed again', () => {
  const program = inProject('test/electron-stand-in/installed.sh');

  async function update(asked: System['asked'], words: readonly string[]) {
    const home = await mkdtemp(join(folder, 'home-'));
    const { env, data } = SYSTEMS.linux!.person(home);
    const all = { ...process.env, ...env };
    const install = async () => {
      const [command = '', ...args] = words.map((word) => word.replace('HOME', home));
      expect((await run(command, args, { env: all, output: 'quiet' })).code).toBe(0);
    };
    const seen = await updateWhileItRuns({ program, asked, install, folder: home, env: all });
    expect(await readdir(data)).toContain('metadata.json');
    return seen;
  }

  test('goes on until it is asked to stop, and has what was in it afterwards', async () => {
    expect(await update('after', ['true'])).toEqual([
      'it runs, and a project is in it',
      'it went on while it was installed again',
      'fieldbench stop stopped it, in order',
      'the project is there at the next start',
    ]);
  });

  test('is stopped by an installer that asks it', async () => {
    expect(await update('while', [program, 'stop'])).toContain('the installer stopped it, in order');
  });

  test('is not said to have been stopped by one that kills it', async () => {
    const kill = "process.kill(JSON.parse(require('fs').readFileSync('HOME/ready.json')).pid, 'SIGKILL')";
    await expect(update('while', [process.execPath, '-e', kill])).rejects.toThrow(
      'The app was ended with 137',
    );
  });
});
