import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROFILES } from '#core/cli/folders/app-folders.ts';
import { PORTABLE_FILE } from '#core/cli/folders/portable.ts';
import { readStatic } from '#core/page/static-files.ts';
import { makeAppFolder } from '../../../packaging/app-folder.mjs';
import { makeZip, writeSums } from '../../../packaging/archives.mjs';
import { builderConfig } from '../../../packaging/builder-config.mjs';
import { provideLicence } from '../../../packaging/headless/tree.mjs';
import { APP, PROGRAM } from '../../../packaging/identity.mjs';
import { filled } from '../../../packaging/linux-root.mjs';
import { shippedOf } from '../../../packaging/sbom.mjs';
import { forgetEmptyCertificate } from '../../../packaging/signing.mjs';
import { readArguments } from '../../../packaging/targets.mjs';
import { foreignSymbols, whyNoRuntime } from '../../../packaging/tree.mjs';
import { makeInstaller } from '../../../packaging/windows.mjs';
import { isBuilt } from '../../../scripts/lib/build.mjs';
import { inProject } from '../../../scripts/lib/project.mjs';
import { FEED_FILE } from '../../../electron/shell/help/update-feed.ts';
import { APP_USER_MODEL_ID } from '../../../electron/shell/start/identity.ts';
import { isLeftOut } from '../../helpers/left-out.ts';

/* What packages are made of; test/packaging/ makes and installs them. */

const run = promisify(execFile);
let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'fieldbench-packaging-'))));
afterAll(() => rm(folder, { recursive: true }));

const config = builderConfig({
  app: '/app',
  hasKeytar: true,
  output: '/made',
  electronDist: null,
  extracted: () => {},
  signed: null,
});

describe('an installed app', () => {
  test('has on Windows the id by which its windows are grouped', () => {
    expect(config.win?.appId).toBe(APP_USER_MODEL_ID);
  });

  test('has on Linux the name that its .desktop file, its windows and the command have', async () => {
    expect(APP.desktopName).toBe(`${PROGRAM}.desktop`);
    expect(config.linux?.executableName).toBe(PROGRAM);
    const entry = await readFile(inProject(`packaging/linux/${APP.desktopName}`), 'utf8');
    expect(entry).toContain(`\nStartupWMClass=${PROGRAM}\n`);
    expect(Object.keys((JSON.parse(await readFile('package.json', 'utf8')) as { bin: object }).bin)).toEqual([
      PROGRAM,
    ]);
  });

  test('is on a Mac hardened, and says what it wants of the local network', async () => {
    expect(config.mac).toMatchObject({
      hardenedRuntime: true,
      extendInfo: { NSLocalNetworkUsageDescription: expect.stringContaining('devices') },
    });
    expect(config.mac?.entitlementsInherit).toBe(config.mac?.entitlements);
    const entitlements = await readFile(inProject(String(config.mac?.entitlements)), 'utf8');
    const granted = [...entitlements.matchAll(/<key>([^<]+)<\/key>\s*<true\/>/g)].map(([, key]) => key);
    // V8 compiles; keytar's module has another team's signature, or none. Nothing else is let in, a debugger least of all.
    expect(granted).toEqual([
      'com.apple.security.cs.allow-jit',
      'com.apple.security.cs.disable-library-validation',
    ]);
    expect(entitlements.match(/<key>/g)).toHaveLength(granted.length);
  });

  test.skipIf(!isBuilt())(
    'holds less than 6 MB beside Electron, and no source, map, typing or test',
    async () => {
      const app = join(folder, 'app');
      makeAppFolder(app, process);
      const entries = await readdir(app, { recursive: true, withFileTypes: true });
      const files = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(6_000_000);
      expect(
        files.filter((file) => /\.(ts|tsx|map|md)$|test|built-from/.test(file.slice(app.length))),
      ).toEqual(files.filter((file) => file.endsWith('keytar/LICENSE.md')));
      // The documentation and the styles are packed, and read as they were.
      const page = join(app, 'out/renderer');
      const styles = (await readdir(inProject('out/renderer/assets'))).filter((name) =>
        name.endsWith('.css'),
      );
      expect(styles.length).toBeGreaterThan(0);
      for (const [name, type] of [
        ['docs/index.html', 'text/html'],
        ...styles.map((style) => [`assets/${style}`, 'text/css'] as const),
      ] as const) {
        expect(files).not.toContain(join(page, name));
        expect(await readStatic(page, name)).toEqual({
          bytes: await readFile(inProject(`out/renderer/${name}`)),
          type: `${type}; charset=utf-8`,
          immutable: name.startsWith('assets/'),
        });
        expect(await readStatic(page, `${name}.br`)).toBeNull();
      }
      const about = JSON.parse(await readFile(join(app, 'package.json'), 'utf8')) as object;
      expect(Object.keys(about)).not.toContain('devDependencies');
    },
  );

  test.skipIf(isLeftOut('the description for Linux desktops', ['desktop-file-validate']))(
    'is described to Linux desktops as they want it',
    async () => {
      await run('desktop-file-validate', [inProject(`packaging/linux/${APP.desktopName}`)]);
    },
  );

  test.skipIf(isLeftOut('the description for software centres', ['appstreamcli']))(
    'is described to software centres as they want it',
    async () => {
      const file = join(folder, 'org.fieldbench.Fieldbench.metainfo.xml');
      await writeFile(file, filled('fieldbench.metainfo.xml', { date: '2026-01-01' }));
      await run('appstreamcli', ['validate', '--no-net', '--pedantic', file]);
    },
  );

  test.skipIf(isLeftOut('the compiled installer of Windows', ['makensis']))(
    'has an installer for Windows that compiles without a warning',
    async () => {
      const tree = join(folder, 'windows');
      await mkdir(tree);
      await writeFile(join(tree, 'fieldbench.exe'), '');
      const signed: string[] = [];
      const sign = (file: string) => Promise.resolve(void signed.push(file));
      const installer = await makeInstaller({
        tree,
        output: folder,
        processor: 'x64',
        date: 1_767_225_600,
        sign,
      });
      expect((await stat(installer)).size).toBeGreaterThan(50_000);
      expect(signed).toEqual([installer]);
      // makensis of Windows cuts a path at "\" alone (NSIS, Source/util.cpp, get_dir_name).
      const script = await readFile(inProject('packaging/windows/installer.nsi'), 'utf8');
      expect(script.match(/\$\{TREE\}.*/g)).toEqual(['${TREE}\\*"']);
      // What an update leaves beside the program.
      const kept = [...script.matchAll(/StrCmp \$1 "(.+)" next/g)].map(([, name]) => name);
      expect(kept).toEqual(['.', '..', 'Data', PROFILES, PORTABLE_FILE, FEED_FILE]);
    },
  );

  test('is on a Mac not taken for signed by a certificate that is empty, as GitHub has one that is not there', () => {
    const env = { CSC_LINK: '', WIN_CSC_LINK: '', APPLE_ID: '' };
    forgetEmptyCertificate(env);
    expect(env).toEqual({ WIN_CSC_LINK: '', APPLE_ID: '' });
    const signing = { CSC_LINK: 'MII=' };
    forgetEmptyCertificate(signing);
    expect(signing).toEqual({ CSC_LINK: 'MII=' });
  });
});

test('icons are those of the drawing, as they were made of it', async () => {
  const sums = (await readFile('packaging/icons/SHA256SUMS', 'utf8')).trim().split('\n');
  expect(sums.length).toBeGreaterThan(8);
  for (const line of sums) {
    const [sum, file = ''] = line.split('  ');
    const actual = createHash('sha256')
      .update(await readFile(file))
      .digest('hex');
    expect(actual, `${file}: npm run icons`).toBe(sum);
  }
});

test('a module that asks its host for more than Node-API is told from one that does not', () => {
  expect(
    foreignSymbols(' U napi_create_string_utf8\n U secret_password_lookup@LIBSECRET\n w __cxa_finalize'),
  ).toEqual([]);
  expect(
    foreignSymbols(' U uv_default_loop\n U _ZN2v87Isolate10GetCurrentEv\n U node_module_register'),
  ).toHaveLength(3);
});

test('Node’s licence is brought again where an install has taken it away, and what brings it is named', async () => {
  const file = join(folder, 'LICENSE');
  let brought = 0;
  const nothing = () => Promise.resolve(brought++);
  await expect(provideLicence(file, nothing)).rejects.toThrow(/LICENSE: npm rebuild node/);
  await provideLicence(file, () => writeFile(file, 'of Node.js'));
  await provideLicence(file, nothing);
  expect(brought).toBe(1);
});

test('a portable zip has the file that says so, and is the same each time', async () => {
  const tree = join(folder, 'portable');
  await mkdir(tree);
  await writeFile(join(tree, 'fieldbench.exe'), 'program');
  const output = await mkdtemp(join(folder, 'zip-'));
  const make = () =>
    makeZip({ tree, output, name: 'F', date: 1_767_225_600, also: { [PORTABLE_FILE]: 'says so' } });
  const first = await readFile(await make());
  await rm(join(output, 'F.zip'));
  await writeFile(join(tree, 'fieldbench.exe'), 'program');
  expect((await readFile(await make())).equals(first)).toBe(true);
  expect(first.includes(`F/${PORTABLE_FILE}`)).toBe(true);
  await writeSums(output);
  expect(await readFile(join(output, 'SHA256SUMS'), 'utf8')).toBe(
    `${createHash('sha256').update(first).digest('hex')}  F.zip\n`,
  );
});

test('the list of what ships has what is in the bundles and Electron, and nothing of a run', () => {
  const of = (name: string) => ({ 'bom-ref': `${name}@1`, name, version: '1', scope: 'optional' });
  const list = (serialNumber: string) => ({
    serialNumber,
    metadata: { timestamp: serialNumber, component: { ...of('folder') } },
    components: [of('shipped'), of('tool'), of('shipped')],
    dependencies: [
      { ref: 'folder@1', dependsOn: ['tool@1', 'shipped@1'] },
      { ref: 'tool@1', dependsOn: [] },
    ],
  });
  const what = { shipped: new Set(['shipped 1']), name: 'fieldbench', date: 0 };
  const first = shippedOf(list('a'), what);
  expect(first).toEqual(shippedOf(list('b'), what));
  expect(first.components.map(({ name }) => name)).toEqual(['shipped']);
  expect(first.dependencies).toEqual([{ ref: 'folder@1', dependsOn: ['shipped@1'] }]);
  expect(first.metadata.component.name).toBe('fieldbench');
  expect(shippedOf(list('a'), { ...what, name: 'fieldbench-service' }).serialNumber).not.toBe(
    first.serialNumber,
  );
  expect(() => shippedOf(list('a'), { ...what, shipped: new Set(['absent 1']) })).toThrow('lacks absent 1');
});

describe('npm run package', () => {
  test('says what to do without a network', () => {
    const failed = Object.assign(new Error('getaddrinfo ENOTFOUND github.com'), { name: 'RequestError' });
    expect(whyNoRuntime(failed)).toMatchObject({
      message: expect.stringMatching(/could not be downloaded \(getaddrinfo .*--electron DIR/),
    });
    const other = new Error('of the configuration');
    expect(whyNoRuntime(other)).toBe(other);
  });

  test('makes all of this system, or what is named', () => {
    const asked = readArguments([]);
    expect(asked.kinds.length).toBeGreaterThan(0);
    expect(asked).toMatchObject({ isNamed: false, electronDist: null, output: inProject('dist') });
    expect(readArguments(['--dir', '--arch', 'arm64'])).toMatchObject({
      kinds: ['dir'],
      isNamed: true,
      processor: 'arm64',
    });
  });

  test('says what it takes', () => {
    expect(() => readArguments(['--appimage'])).toThrow('--appimage');
    expect(() => readArguments(['--arch', 'ia32'])).toThrow('--arch takes x64 or arm64, got "ia32".');
    expect(() => readArguments(['--electron', '/nowhere'])).toThrow('is not there.');
  });
});
