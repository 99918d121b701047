import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findChromium } from '../../../scripts/lib/chromium.mjs';
import { cacheWithoutHome, npmCommand, outsideEnvironment, startedBy } from '../../../scripts/lib/npm.mjs';
import { inProject } from '../../../scripts/lib/project.mjs';
import { forwardSignals, run, sentByTerminal, which } from '../../../scripts/lib/run.mjs';
import { chooseSteps } from '../../../scripts/lib/suites/steps.mjs';
import { missingLine, packageNames } from '../../../scripts/lib/system-packages.mjs';

const node = process.execPath;
const runModule = pathToFileURL(inProject('scripts/lib/run.mjs')).href;

describe.runIf(process.platform !== 'win32')('running a command', () => {
  test('reports its exit code, a signal as shells do, and what it wrote', async () => {
    const both = 'console.log("out"); console.error("err"); process.exitCode = 3';
    const ended = await run(node, ['-e', both], { output: 'quiet' });
    expect(ended.code).toBe(3);
    expect(ended.output.split('\n').toSorted()).toEqual(['', 'err', 'out']);
    expect((await run(node, ['-e', 'process.kill(process.pid, "SIGTERM")'])).code).toBe(143);
  });

  test('gives it no standard input, so that nothing waits for a key', async () => {
    const read = 'process.stdin.on("data", () => {}).on("end", () => console.log("nothing"))';
    expect((await run(node, ['-e', read], { output: 'quiet' })).output).toBe('nothing\n');
  });

  test('names a command that is not there', async () => {
    await expect(run('fieldbench-none', [])).rejects.toThrow('fieldbench-none could not be started');
  });

  test('ends a command that takes too long, with what it started', async () => {
    // The grandchild holds our pipe open: only its end lets the outcome arrive.
    const script = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "inherit" }).unref()`;
    const ended = await run(node, ['-e', script], { output: 'quiet', limitMs: 500 });
    expect(ended.timedOut).toBe(true);
  });

  test('stops altogether, not only the command, when it is asked to stop', async () => {
    const running = run(node, ['-e', 'setInterval(() => {}, 1000)'], { limitMs: 60_000 });
    process.emit('SIGTERM');
    await expect(running).rejects.toMatchObject({ message: 'stopped by SIGTERM', code: 143 });
  });

  test('ends a command when asked', async () => {
    const stop = new AbortController();
    const running = run(node, ['-e', 'setInterval(() => {}, 1000)'], { signal: stop.signal });
    stop.abort();
    expect((await running).code).toBe(137);
  });
});

describe('the npm that runs a script', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'fieldbench-npm-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('is the one that runs us', async () => {
    const cli = path.join(folder, 'npm-cli.js');
    await writeFile(cli, '');
    expect(npmCommand({ npm_execpath: cli, npm_node_execpath: node })).toEqual({
      command: node,
      args: [cli],
    });
    expect(npmCommand({ npm_execpath: cli, npm_node_execpath: path.join(folder, 'gone') }).command).toBe(
      node,
    );
  });

  test.runIf(process.platform !== 'win32')('is the one on PATH without that', async () => {
    const npm = path.join(folder, 'npm');
    await writeFile(npm, '');
    await chmod(npm, 0o755);
    const yarn = { npm_execpath: path.join(folder, 'yarn.js'), PATH: folder };
    expect(npmCommand(yarn)).toEqual({ command: npm, args: [] });
    expect(npmCommand({ PATH: folder })).toEqual({ command: npm, args: [] });
    expect(() => npmCommand({ PATH: '' })).toThrow('npm is not on PATH');
  });

  test.runIf(process.platform !== 'win32')(
    'works with a Node from outside node_modules, and finds its headers',
    async () => {
      const outside = path.join(folder, 'bin', 'node');
      await mkdir(path.dirname(outside));
      await writeFile(outside, '');
      await chmod(outside, 0o755);
      const env = {
        PATH: `${inProject('node_modules/.bin')}:${path.dirname(outside)}`,
        npm_node_execpath: inProject('node_modules/node/bin/node'),
      };
      expect(outsideEnvironment(env)).toEqual({ PATH: path.dirname(outside), npm_node_execpath: outside });

      const headers = path.join(folder, 'include', 'node');
      await mkdir(headers, { recursive: true });
      await writeFile(path.join(headers, 'node_api.h'), '');
      expect(outsideEnvironment(env).npm_config_nodedir).toBe(folder);
      expect(outsideEnvironment({ ...env, npm_config_nodedir: '/mine' }).npm_config_nodedir).toBe('/mine');
    },
  );

  test('runs with another Node where the own one is too old, and so does what it starts', () => {
    const env = { PATH: path.dirname(node), npm_node_execpath: '/old/node' };
    const program = path.join(folder, 'node');
    expect(startedBy(program, env)).toEqual({
      PATH: [folder, path.dirname(node)].join(path.delimiter),
      npm_node_execpath: program,
    });
    expect(startedBy(undefined, env)).toBe(env);
  });

  test.runIf(process.platform !== 'win32')(
    'has a cache of the project where the home cannot be written',
    async () => {
      const file = path.join(folder, 'file');
      await writeFile(file, '');
      const ours = { npm_config_cache: expect.stringContaining('.cache') };
      for (const HOME of [path.join(file, 'home'), '/proc/home'])
        expect(cacheWithoutHome({ HOME })).toEqual(ours);
      expect(cacheWithoutHome({})).toEqual(ours);
      expect(cacheWithoutHome({ HOME: folder })).toEqual({});
      expect(cacheWithoutHome({ HOME: '/proc/home', npm_config_cache: folder })).toEqual({});
    },
  );
});

describe('a request to stop', () => {
  const terminal = { stdin: { isTTY: true } };

  test('that a terminal sends to all is not passed on, one that comes to us alone is', () => {
    expect([...sentByTerminal({ platform: 'linux', ...terminal }, false)]).toEqual(['SIGINT', 'SIGHUP']);
    expect([...sentByTerminal({ platform: 'linux', stdin: {} }, false)]).toEqual([]);
    expect([...sentByTerminal({ platform: 'linux', ...terminal }, true)]).toEqual([]);
    expect([...sentByTerminal({ platform: 'win32', stdin: {} }, false)]).toContain('SIGBREAK');
  });

  test.runIf(process.platform !== 'win32')('is passed on once, from whomever it comes', () => {
    const passed: string[] = [];
    const from = new EventEmitter();
    const stop = forwardSignals((signal) => passed.push(signal), { hears: new Set(['SIGHUP']), from });
    for (const signal of ['SIGTERM', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const) from.emit(signal);
    expect(passed).toEqual(['SIGTERM']);
    stop();
  });

  test.runIf(process.platform !== 'win32')(
    'reaches a command once where the terminal has sent it already',
    () => {
      const passed: string[] = [];
      const from = new EventEmitter();
      const stop = forwardSignals((signal) => passed.push(signal), { hears: new Set(['SIGHUP']), from });
      for (const signal of ['SIGHUP', 'SIGHUP', 'SIGTERM'] as const) from.emit(signal);
      expect(passed).toEqual([]);
      stop();
    },
  );

  test.runIf(process.platform !== 'win32')('is passed on again for someone who insists', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const passed: string[] = [];
    const from = new EventEmitter();
    const stop = forwardSignals((signal) => passed.push(signal), { hears: new Set(), from });
    from.emit('SIGTERM');
    now.mockReturnValue(3000);
    from.emit('SIGTERM');
    expect(passed).toEqual(['SIGTERM', 'SIGTERM']);
    stop();
    now.mockRestore();
  });

  test.runIf(process.platform !== 'win32')(
    'reaches a real command once, which ends as it likes',
    async () => {
      const command =
        'let n = 0; process.on("SIGHUP", () => { n++; setTimeout(() => process.exit(n), 300); }); setInterval(() => {}, 1000); console.log("here")';
      const script = `
      import { run } from ${JSON.stringify(runModule)};
      const { code } = await run(process.execPath, ['-e', ${JSON.stringify(command)}], { forward: true });
      console.log('code ' + code);`;
      const child = spawn(node, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe('here');
      child.kill('SIGHUP');
      child.kill('SIGHUP');
      expect((await lines.next()).value).toBe('code 1');
    },
  );
});

describe('looking for programs', () => {
  test('finds a command on PATH, and nothing for a name without one', () => {
    expect(which('node', { PATH: path.dirname(node) })).not.toBeNull();
    expect(which('fieldbench-none')).toBeNull();
  });

  test('takes the Chromium that is named', () => {
    expect(findChromium({ FIELDBENCH_CHROMIUM: '/opt/chromium', PATH: '' })).toBe('/opt/chromium');
  });

  test('takes the headless shell before the Chromium with windows, where both are', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'fieldbench-browsers-'));
    for (const name of ['chromium', 'chromium-headless-shell'])
      await writeFile(path.join(folder, name), '', { mode: 0o755 });
    expect(findChromium({ PATH: folder })).toBe(path.join(folder, 'chromium-headless-shell'));
    await rm(folder, { recursive: true });
  });
});

describe('the steps of npm test', () => {
  test('are all of them unless some are named, always in their own order', () => {
    expect(chooseSteps([]).length).toBeGreaterThan(5);
    expect(chooseSteps(['unit', 'lint']).map(({ name }) => name)).toEqual(['lint', 'unit']);
  });

  test('names the steps there are when one is misspelt', () => {
    expect(() => chooseSteps(['units'])).toThrow(/no step "units"; the steps are format, .*unit, /);
  });
});

describe('the system packages', () => {
  test('are named once each, in the words of the system', () => {
    const both = {
      apt: 'libsecret-1-dev',
      dnf: 'libsecret-devel',
      pacman: 'libsecret',
      zypper: 'libsecret-devel',
    };
    const needs = [
      { purpose: 'run' as const, present: () => false, packages: { ...both, apt: 'libsecret-1-0' } },
      { purpose: 'build' as const, present: () => false, packages: both },
    ];
    expect(packageNames(needs, 'apt')).toEqual(['libsecret-1-0', 'libsecret-1-dev']);
    expect(packageNames(needs, 'pacman')).toEqual(['libsecret']);
  });

  test('are named in one command for an administrator, with what works without them', () => {
    const packages = { apt: 'make', dnf: 'make', pacman: 'make', zypper: 'make' };
    const needs = [{ purpose: 'build' as const, present: () => false, packages }];
    const apt = { name: 'apt' as const, install: 'apt-get install' };
    expect(missingLine(needs, apt)).toMatch(/secrets are kept in a file.*: sudo apt-get install make$/);
    expect(missingLine([{ ...needs[0]!, purpose: 'test' }], apt)).toContain('only the tests');
    expect(missingLine(needs, null)).toMatch(/^Missing system packages \(Debian's names\): make /);
  });
});
