import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, chown, cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import { makeHeadless, MOST_BYTES, releaseHeadless } from '../../packaging/headless/make.mjs';
import { freePorts } from '../deploy/balancers.ts';
import { isLeftOut } from '../helpers/left-out.ts';
import { hasPostgres } from '../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../helpers/postgres/shared-postgres.ts';
import { startServiceProcess, type CommandLine } from '../helpers/service/service-process.ts';
import { inBareSystem, makeBareSystem } from './bare-system.ts';

/* The service without a window as rigs and labs get it: made, unpacked, and run by its units' own lines, as somebody without rights. */

const DATE = 1_764_150_000;
const NOBODY = 65_534;
const SECRETS_IN_FILES = /in encrypted files of the data directory: .*libsecret/;
const isRoot = process.getuid?.() === 0;
const noVerify = isLeftOut('the units as systemd reads them', ['systemd-analyze']);
const noBare = isLeftOut('a bare system', [], { 'root’s rights': isRoot });
const noDatabase = isLeftOut('the unit over a database', [], { PostgreSQL: hasPostgres });

/** What a list of contents says, as CycloneDX has it. */
interface Contents {
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly { readonly name: string }[];
}

describe.skipIf(process.platform !== 'linux')('the package without a window', () => {
  let root: string;
  let file: string;
  /** Unpacked, as an administrator does: nobody may write to it. */
  let program: string;
  /** Of the user who runs it. */
  let home: string;
  const at = (...parts: string[]) => join(root, ...parts);

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'fieldbench-headless-'));
    await chmod(root, 0o755);
    file = await makeHeadless({ output: at('one'), version: '0.1.0', date: DATE });
    program = at('a folder', 'fieldbench');
    await mkdir(program, { recursive: true });
    unpack(program);
    execFileSync('chmod', ['-R', 'a-w', program]);
    home = at('home');
    if (!isRoot) {
      await mkdir(home);
      return;
    }
    // The user's home and the program have the same paths in it and outside.
    await makeBareSystem(at('bare'), join(program, 'node_modules/.bin/node'));
    for (const folder of [home, program]) await mkdir(join(at('bare'), folder), { recursive: true });
    await symlink(join(at('bare'), home), home);
    await chown(join(at('bare'), home), NOBODY, NOBODY);
    unpack(join(at('bare'), program));
  });
  afterAll(async () => {
    execFileSync('chmod', ['-R', 'u+w', root]);
    await rm(root, { recursive: true });
  });

  const unpack = (folder: string) =>
    void execFileSync('tar', [
      '--extract',
      '--no-same-owner',
      '--strip-components=1',
      `--directory=${folder}`,
      `--file=${file}`,
    ]);
  const listed = () =>
    execFileSync('tar', ['--list', '--verbose', '--numeric-owner', `--file=${file}`], { encoding: 'utf8' });
  /** As somebody without rights, who has but a home. */
  const asNobody = (...command: string[]): CommandLine => [
    'env',
    '-i',
    `HOME=${home}`,
    ...(isRoot
      ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--no-new-privs', '--']
      : []),
    ...command,
  ];
  /** The same, where root is, in a system with nothing but a shell and the libraries of C and C++. */
  const inBare = (...command: string[]): CommandLine =>
    isRoot ? inBareSystem(at('bare'), { user: NOBODY, home }, command) : asNobody(...command);
  const run = ([command, ...args]: CommandLine, cwd = '/') =>
    execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const fieldbench = () => join(program, 'fieldbench');
  /** The line of a unit, as systemd reads it, of this machine. */
  const lineOf = async (unit: string) => {
    const text = (await readFile(join(program, 'deploy', unit), 'utf8')).replaceAll('\\\n', ' ');
    const [, command = '', flags = ''] = /^ExecStart=(.*?) serve (.*)$/m.exec(text) ?? [];
    const words = command.split(' ').map((word) => word.replace(/^(\/opt|%h)\/fieldbench/, program));
    return { command: words as [string, ...string[]], flags: flags.trim().split(/\s+/) };
  };

  test('fits its budget, and is the same bytes when it is made again', async () => {
    expect((await stat(file)).size).toBeLessThan(MOST_BYTES);
    const umask = process.umask(0o077);
    const options = { output: at('two'), version: '0.1.0', date: DATE };
    const [again = '', contents = ''] = await releaseHeadless(options).finally(() => process.umask(umask));
    expect((await readFile(again)).equals(await readFile(file))).toBe(true);
    // Beside it: checksums of both files, and what is in it.
    const checked = run(['sha256sum', '--check', 'SHA256SUMS'], at('two'));
    expect(checked.trim().split('\n').toSorted()).toEqual(
      [again, contents].map((path) => `${basename(path)}: OK`).toSorted(),
    );
    const { metadata, components } = JSON.parse(await readFile(contents, 'utf8')) as Contents;
    expect(metadata.component.name).toBe('fieldbench-service');
    const named = components.map(({ name }) => name);
    expect(named).toEqual(expect.arrayContaining(['node', 'fastify', 'keytar', 'react']));
    expect(named).not.toContain('electron');
    await rm(at('two'), { recursive: true });
  });

  test('holds what a service needs, nobody’s names, and nothing of those who make it', async () => {
    const lines = listed().trim().split('\n');
    const paths = lines.map((line) =>
      line.split(' fieldbench-service-0.1.0-linux-')[1]?.replace(/^[^/]*\//, ''),
    );
    for (const needed of [
      'fieldbench',
      'out/main/cli.js',
      'out/main/worker.js',
      'out/main/isolate.js',
      'out/main/quickjs.wasm.br',
      'out/renderer/index.html',
      'out/renderer/docs/index.html',
      'package.json',
      'licences.txt',
      'README.txt',
      'deploy/fieldbench-files.service',
    ])
      expect(paths).toContain(needed);
    expect(
      paths.filter((path) => /\.(map|ts|tsx|env|key|pem)$|\/main\.js$|preload|older-node/.test(path ?? '')),
    ).toEqual([]);
    expect(lines.filter((line) => !/ 0\/0 /.test(line))).toEqual([]);
    expect(lines.filter((line) => /^-..x/.test(line)).map((line) => line.split('/').at(-1))).toEqual(
      expect.arrayContaining(['fieldbench', 'node', 'backup.sh']),
    );
    expect((await readFile(join(program, 'README.txt'), 'utf8')).trim().split('\n')).toHaveLength(5);
    const licences = await readFile(join(program, 'licences.txt'), 'utf8');
    expect(licences).toMatch(/^MIT License[^]*\nfastify \d[^]*\nkeytar \d[^]*={80}\nNode\.js\n[^]*OpenSSL/);
    expect(await readFile(join(program, 'out/renderer/licences.txt'), 'utf8')).toBe(licences);
    const loose = paths.filter((path) => path?.includes('LICENSE'));
    expect(loose).toEqual(['node_modules/keytar/LICENSE.md']);
  });

  test('runs from any folder, by a link too, as somebody without rights, and by its own Node', async () => {
    await mkdir(at('bin'));
    execFileSync('ln', ['-s', fieldbench(), at('bin/fieldbench')]);
    for (const path of [fieldbench(), at('bin/fieldbench')])
      expect(run(asNobody(path, '--version'))).toMatch(/^\d+\.\d+\.\d+\n$/);
    const about = await readFile(join(import.meta.dirname, '../../package.json'), 'utf8');
    const { devDependencies } = JSON.parse(about) as { devDependencies: { node: string } };
    expect(run(asNobody(join(program, 'node_modules/.bin/node'), '--version'))).toBe(
      `v${devDependencies.node}\n`,
    );
  });

  test('keytar in it loads, or says that libsecret is missing', async () => {
    const load = `try { require(${JSON.stringify(join(program, 'node_modules/keytar'))}); console.log('loads'); } catch (error) { console.log(error.message); }`;
    expect(run(asNobody(join(program, 'node_modules/.bin/node'), '-e', load))).toMatch(
      /^loads$|libsecret|Cannot find module/m,
    );
  });

  test('the line of the unit of one user starts a service in that user’s home, and every command reaches it', async () => {
    const { command, flags } = await lineOf('rig/fieldbench.service');
    const readyFile = join(home, 'ready.json');
    const service = await startServiceProcess({
      cli: inBare(...command),
      directory: join(home, '.local/share/Fieldbench'),
      readyFile,
      args: flags.map((flag) => flag.replace(/^%t\/.*/, readyFile)),
    });
    try {
      expect(await service.call('POST', '/_local/v1/projects', { name: 'Hall' })).toMatchObject({
        success: true,
      });
      const console = await service.fetch(service.info.console_url!, { headers: { authorization: null } });
      expect(console.status).toBeLessThan(400);
      // The folder of the user is found without a flag.
      expect(run(inBare(fieldbench(), 'status'))).toContain(String(service.pid));
      expect(run(inBare(fieldbench(), 'stop'))).toBeDefined();
    } finally {
      await service.stop();
    }
    expect(run(inBare(fieldbench(), 'check', '--json'))).toContain('"damaged":0');
    expect(run(inBare(fieldbench(), 'clear', '--yes'))).toContain('It is removed.');
  });

  test('the line of the unit of the machine over files starts a service that its network reaches', async () => {
    const { command, flags } = await lineOf('fieldbench-files.service');
    const data = join(home, 'state');
    const readyFile = join(home, 'files.json');
    const [https = 0, mqtts = 0] = await freePorts(2);
    const here: Readonly<Record<string, string>> = {
      '/var/lib/fieldbench': data,
      '/run/fieldbench/ready.json': readyFile,
      '0.0.0.0': '127.0.0.1',
      '7443': String(https),
      '8883': String(mqtts),
    };
    const service = await startServiceProcess({
      cli: inBare(...command),
      directory: data,
      readyFile,
      args: flags.map((flag) => here[flag] ?? flag),
    });
    try {
      expect(service.info).toMatchObject({
        base_url: `https://127.0.0.1:${https}`,
        mqtts_url: expect.anything(),
      });
      expect((await service.call('GET', '/v2/projects')).status).toBe(200);
      if (isRoot) expect((await stat(join(data, 'vault.json'))).uid).toBe(NOBODY);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  test.skipIf(noDatabase)('the line of the unit over a database starts a service of a lab', async () => {
    const { command, flags } = await lineOf('fieldbench.service');
    expect(command).toEqual(['node_modules/.bin/node', 'out/main/cli.js'].map((path) => join(program, path)));
    const url = new URL(await (await sharedPostgres()).database());
    const credentials = join(home, 'credentials');
    await mkdir(credentials);
    const names = { dns: ['localhost'], ips: ['127.0.0.1'] };
    const authority = createAuthority(names, Date.now());
    const { cert, key } = issueServer(authority, names, Date.now());
    await writeFile(join(credentials, 'store.password'), decodeURIComponent(url.password));
    await writeFile(join(credentials, 'lab.key'), createHash('sha256').update('key').digest());
    await writeFile(join(credentials, 'tls.pem'), cert + authority.cert);
    await writeFile(join(credentials, 'tls.key'), key);
    url.password = '';
    const [https = 0, mqtts = 0] = await freePorts(2);
    const here: Readonly<Record<string, string>> = {
      '/var/lib/fieldbench': join(home, 'lab'),
      '0.0.0.0': '127.0.0.1',
      '7443': String(https),
      '8883': String(mqtts),
      '10': '0',
    };
    const readyFile = join(home, 'lab.json');
    const service = await startServiceProcess({
      cli: inBare(...command),
      directory: join(home, 'lab'),
      readyFile,
      args: flags
        .map((flag) =>
          flag.startsWith('postgres://') ? url.href : flag.replace('${CREDENTIALS_DIRECTORY}', credentials),
        )
        .map((flag) => here[flag] ?? flag),
    });
    try {
      expect((await service.call('GET', `${service.info.http_url}/v2/projects`)).status).toBe(200);
    } finally {
      expect(await service.stop()).toBe(0);
    }
  });

  test.skipIf(noBare)(
    'a system with nothing but a shell and the libraries of C and C++ is enough; without a keychain secrets are in files',
    async () => {
      const service = await startServiceProcess({
        cli: inBare(fieldbench()),
        directory: join(home, 'data'),
        readyFile: join(home, 'bare.json'),
        args: ['--vault', 'auto'],
      });
      try {
        expect((await service.call('GET', '/v2/projects')).status).toBe(200);
        await expect.poll(() => service.output()).toMatch(SECRETS_IN_FILES);
      } finally {
        expect(await service.stop()).toBe(0);
      }
    },
  );

  test.skipIf(noVerify)('systemd finds nothing to say of its units', async () => {
    for (const unit of ['fieldbench.service', 'fieldbench-files.service', 'rig/fieldbench.service']) {
      const copy = at('fieldbench.service');
      await cp(join(program, 'deploy', unit), copy);
      // systemd splits a path at its spaces.
      await mkdir(at('opt'), { recursive: true });
      execFileSync('ln', ['-sfn', program, at('opt/fieldbench')]);
      const text = await readFile(copy, 'utf8');
      await chmod(copy, 0o644);
      await writeFile(copy, text.replaceAll(/(\/opt|%h)\/fieldbench/g, at('opt/fieldbench')));
      const { stderr, status } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
      expect([unit, stderr, status]).toEqual([unit, '', 0]);
      await rm(copy);
    }
  });
});
