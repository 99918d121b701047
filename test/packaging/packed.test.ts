import { execFile, spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { listPackage, statFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../scripts/lib/chromium.mjs';
import { inProject } from '../../scripts/lib/project.mjs';
import { startProgram, type Program } from '../e2e/program.ts';
import { isLeftOut } from '../helpers/left-out.ts';
import { filesIn, makePackedTree } from './runtime.ts';

/* The folder of an installed app, with a stand-in for Electron's program (runtime.ts), started as somebody without rights would. */

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

let folder: string;
let tree: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-packed-'));
  tree = await makePackedTree(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the packed folder', () => {
  test('holds what is used beside Electron, in 6 MB', async () => {
    const archive = join(tree, 'resources/app.asar');
    const inside = listPackage(archive, { isPack: false }).filter(
      (name) => !('files' in statFile(archive, name.slice(1))),
    );
    const used =
      /^\/(package\.json|out\/(main\/([\w-]+\.(js|sql)|(handover-viewer\.json|quickjs\.wasm)\.br)|preload\/preload\.cjs|renderer\/(index\.html|icon\.(svg|png)|assets\/[\w-]+\.(js|css\.br)|docs\/index\.html\.br|docs\/pictures\/[\w-]+\.png))|node_modules\/keytar\/(package\.json|LICENSE\.md|lib\/keytar\.js|build\/Release\/keytar\.node))$/;
    expect(inside.filter((name) => !used.test(name))).toEqual([]);
    expect(inside).toContain('/out/main/worker.js');
    expect(inside).toContain('/out/main/isolate.js');
    expect(inside).toContain('/out/main/quickjs.wasm.br');
    // What only an older Node needs: Electron's has all of it.
    expect(inside.filter((name) => name.includes('older-node'))).toEqual([]);
    const unpacked = (await filesIn(tree)).filter((name) => name.includes('app.asar.unpacked'));
    const bytes = await Promise.all(
      ['resources/app.asar', ...unpacked].map(async (name) => (await stat(join(tree, name))).size),
    );
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
  });

  test('has of Electron what ships, and the licences of all of it in one file', async () => {
    const around = (await filesIn(tree)).filter((name) => !name.startsWith('resources/app.asar'));
    expect(around).toEqual([
      'chrome-sandbox',
      'fieldbench',
      'icudtl.dat',
      'licences.txt',
      'locales/en-US.pak',
    ]);
    const licences = await readFile(join(tree, 'licences.txt'), 'utf8');
    expect(licences).toMatch(/^MIT License[^]*\nfastify \d[^]*\nzustand \d[^]*\nElectron\n[^]*\nChromium, /);
    expect(licences).toContain('LICENSE of the stand-in');
    expect(licences).toContain('Copyright of <a library> & others');
  });

  test('has its fuses set: it is no Node, takes no switches for one, and no code but its archive', async () => {
    const wire = (await getCurrentFuseWire(join(tree, 'fieldbench'))) as unknown as Record<number, number>;
    const isOn = (fuse: FuseV1Options) => String.fromCharCode(wire[fuse] ?? 0);
    expect(isOn(FuseV1Options.RunAsNode)).toBe('0');
    expect(isOn(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe('0');
    expect(isOn(FuseV1Options.EnableNodeCliInspectArguments)).toBe('0');
    expect(isOn(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe('1');
    expect(isOn(FuseV1Options.OnlyLoadAppFromAsar)).toBe('1');
    expect(isOn(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe('0');
  });

  test('has keytar outside the archive, which asks its host for Node-API alone', async () => {
    const module = join(tree, 'resources/app.asar.unpacked/node_modules/keytar/build/Release/keytar.node');
    const { stdout } = await run('nm', ['-D', '--undefined-only', module]);
    const asked = stdout.split('\n').flatMap((line) => /U (\w+)/.exec(line)?.[1] ?? []);
    expect(asked.filter((name) => name.startsWith('napi_')).length).toBeGreaterThan(20);
    expect(asked.filter((name) => /^(uv_|node_|_ZNK?(2v8|4node))/.test(name))).toEqual([]);
  });

  test('starts nothing without its sandbox', async () => {
    for (const name of await filesIn(tree))
      if (name !== 'fieldbench')
        expect((await readFile(join(tree, name))).includes('no-sandbox'), name).toBe(false);
  });
});

/** A user of no rights, whose home is new, in a session without a keychain. */
async function person(name: string) {
  const home = join(folder, name);
  await run('mkdir', ['-m', '700', home]);
  if (isRoot) await run('chown', [`${NOBODY}:${NOBODY}`, home]);
  const env = {
    HOME: home,
    TMPDIR: home,
    PATH: process.env['PATH'] ?? '',
    FIELDBENCH_CHROMIUM: findChromium() ?? '',
  };
  const as = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const readyFile = join(home, 'ready.json');
  const command = (program: string, ...words: string[]) => [...as, program, ...words];
  const flags = ['--ready-file', readyFile, '--port', '0', '--http-port', '0', '--mqtt-port', '0'];
  return {
    home,
    env,
    command,
    start: async (program: string): Promise<Program> => {
      const started = startProgram(command(program, ...flags), env);
      await started.ready(readyFile);
      return started;
    },
    tells: async (program: string, ...words: string[]) => {
      const [first = '', ...rest] = command(program, ...words);
      return run(first, rest, { env });
    },
  };
}

/** Whether somebody of no rights may read the project, whose stand-in takes Electron's place. */
const isOpen =
  !isRoot ||
  spawnSync('setpriv', [`--reuid=${NOBODY}`, '--clear-groups', 'test', '-r', inProject('package.json')])
    .status === 0;
const noPerson = isLeftOut('the packed folder, used by somebody without rights', [], {
  Chromium: findChromium() !== null,
  'a project that others than root may read': isOpen,
});

describe.skipIf(noPerson)('a person without rights, keychain or a program folder to write to', () => {
  test('starts it, starts it again, is told where secrets are, and stops it', async () => {
    const program = join(tree, 'fieldbench');
    const before = await filesIn(tree);
    const { home, start, tells } = await person('ada');
    const app = await start(program);
    expect((await tells(program, 'status')).stdout).toMatch(/vault +file\n/);
    expect(app.output()).toContain('Secrets are kept in encrypted files of the data directory');
    // The module was found and loaded: what lacks is who would answer it.
    expect(app.output()).toMatch(/no keychain that answers \(.*D-?Bus/i);
    expect((await tells(program)).stderr).toContain('runs already');
    await tells(program, 'stop');
    expect(await app.end).toBe('0');
    expect(await readdir(join(home, '.local/share/Fieldbench'))).toContain('metadata.json');
    expect(await filesIn(tree)).toEqual(before);
  });

  test('starts it where keytar cannot be loaded, and is told so', async () => {
    const copy = join(folder, 'without-keytar');
    await cp(tree, copy, { recursive: true });
    await rm(join(copy, 'resources/app.asar.unpacked/node_modules'), { recursive: true });
    const program = join(copy, 'fieldbench');
    const { start, tells } = await person('bea');
    const app = await start(program);
    expect(app.output()).toMatch(/this system has no keychain that answers \(.*keytar/);
    expect((await tells(program, 'status')).stdout).toMatch(/vault +file\n/);
    await tells(program, 'stop');
    expect(await app.end).toBe('0');
  });

  test('carries it on a stick, with its data beside it and nothing in a home', async () => {
    const stick = join(folder, 'stick');
    await cp(tree, stick, { recursive: true });
    await writeFile(join(stick, 'fieldbench-portable.txt'), '');
    if (isRoot) await run('chown', ['-R', `${NOBODY}:${NOBODY}`, stick]);
    const program = join(stick, 'fieldbench');
    const { home, start, tells } = await person('cem');
    const app = await start(program);
    expect(app.output()).toContain('a keychain stays with its machine, and this program does not');
    await tells(program, 'stop');
    expect(await app.end).toBe('0');
    expect(await readdir(join(stick, 'Data'))).toContain('vault.json');
    expect(await readdir(join(stick, 'Fieldbench Desktop'))).toHaveLength(2);
    // Chromium's headless shell, which is no part of the app, keeps its own there.
    expect((await filesIn(home)).filter((name) => /fieldbench/i.test(name))).toEqual([]);
  });

  test('works with it: window, import by worker threads, second start, quit', async () => {
    const specs = [
      'smoke.spec',
      'import.spec',
      'page/import/import-left-out.spec',
      'shell/life.spec',
      'shell/control.spec',
    ];
    const { home, env, command } = await person('dor');
    const [first = '', ...rest] = command(
      process.execPath,
      inProject('node_modules/@playwright/test/cli.js'),
      'test',
      '--project=installed',
      '--reporter=line',
      `--output=${join(home, 'results')}`,
      ...specs,
    );
    const child = spawn(first, rest, {
      env: {
        ...env,
        FIELDBENCH_INSTALLED: join(tree, 'fieldbench'),
        // The stand-in opens no window on it.
        DISPLAY: process.env['DISPLAY'] ?? ':0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part) => (said += part));
    const code = await new Promise((resolve) => void child.once('close', resolve));
    expect(code, said).toBe(0);
    for (const spec of specs) expect(said).toContain(`[installed] › test/e2e/specs/${spec}`);
    expect(said).toMatch(/1[0-9] passed/);
    expect(said).not.toMatch(/\d skipped/);
  });
});
