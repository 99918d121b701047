import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { chmod, cp, link, mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { get } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReadyInfo } from '#core/cli/serve/ready-file.ts';
import { runCli, spawnCli, type CommandLine } from '../helpers/service/service-process.ts';
import { dockerfile, execForm, faultsOf, stagesOf } from './dockerfile.ts';
import { PROJECT } from './lab-page.ts';

/* deploy/Dockerfile without Docker: its rules by reading, the steps of its image in a chroot that has nothing else. */

const isRoot = process.getuid?.() === 0;
const stages = stagesOf(dockerfile());
const image = stages.at(-1)!;
const only = (name: string) => image.instructions.find((one) => one.name === name)!;

test('the Dockerfile keeps to the rules', () => {
  expect(faultsOf(stages)).toEqual([]);
});

const OTHERWISE: readonly (readonly [wrong: string, change: (text: string) => string])[] = [
  ['not pinned', (text) => text.replace(/@sha256:[\da-f]+/, '')],
  ['runs as root', (text) => text.replace('USER 10001:10001\n', '')],
  ['runs as 0:0', (text) => text.replace('USER 10001:10001', 'USER 0:0')],
  ['whether it is well', (text) => text.replace(/^HEALTHCHECK.*\n/m, '')],
  ['ADD fetches', (text) => text.replace('COPY . .', 'ADD https://example.org/a.tar /src/')],
  ['a secret', (text) => text.replace('ENV MALLOC_ARENA_MAX=2', 'ENV FIELDBENCH_KEY=abc')],
  ['nothing pins', (text) => text.replace('RUN npm run build', 'RUN apt-get install -y make')],
  ['without its licence', (text) => text.replace(/^COPY .*node-\*.*\n/m, '')],
  ['of whoever builds it', (text) => text.replace('--from=build /src/package.json', 'package.json')],
  ['a shell gets', (text) => text.replace(/^ENTRYPOINT .*$/m, 'ENTRYPOINT node cli.js')],
];

test.each(OTHERWISE)('a Dockerfile is found that is wrong: %s', (wrong, change) => {
  expect(faultsOf(stagesOf(change(dockerfile()))).join('\n')).toContain(wrong);
});

test('a build reads what it copies, and the build of this project needs no more', async () => {
  const ignore = await readFile(join(PROJECT, 'deploy/Dockerfile.dockerignore'), 'utf8');
  const kept = ignore.split('\n').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  const { SOURCES } = await import('../../scripts/lib/build.mjs');
  const folders = SOURCES.map((source) => source.split('/')[0] ?? '');
  expect(folders.filter((folder) => !kept.includes(folder))).toEqual([]);
});

describe.skipIf(process.platform !== 'linux' || !isRoot)('its image, in a chroot', () => {
  let root: string;
  const at = (path: string) => join(root, path);
  const [uid = '', gid = ''] = only('USER').text.split(':');
  const inside = (...words: string[]): CommandLine => [
    '/usr/sbin/chroot',
    `--userspec=${uid}:${gid}`,
    root,
    '/bin/env',
    '-i',
    'PATH=/usr/local/bin:/bin',
    // As Docker has it of a user whom /etc/passwd does not know.
    'HOME=/',
    ...image.instructions.filter(({ name }) => name === 'ENV').map(({ text }) => text),
    ...words,
  ];
  const entry = execForm(only('ENTRYPOINT'));
  /** Any free ports: those of the image may be in use here. */
  const ports = ['--port', '0', '--http-port', '0', '--mqtt-port', '0', '--mqtts-port', '0'];

  async function start() {
    const child = spawnCli([...execForm(only('CMD')), ...ports], {}, inside(...entry));
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    const ended = once(child, 'exit');
    await expect
      .poll(() => (child.exitCode === null ? said.join('') : 'Fieldbench is ready'), { timeout: 90_000 })
      .toContain('Fieldbench is ready');
    expect(child.exitCode, said.join('')).toBeNull();
    const info = JSON.parse(await readFile(at('data/ready.json'), 'utf8')) as ReadyInfo;
    return {
      info,
      async call<T>(method: string, path: string, body?: unknown): Promise<T> {
        const answer = await fetch(info.http_url + path, {
          method,
          headers: { authorization: `Bearer ${info.api_key}` },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        expect(answer.status).toBe(200);
        return ((await answer.json()) as { data: T }).data;
      },
      /** Resolves with the exit code. */
      async stop(): Promise<number | null> {
        child.kill('SIGTERM');
        const [code] = (await ended) as [number | null];
        return code;
      },
    };
  }
  const health = () => {
    const [program, ...first] = inside(...execForm(only('HEALTHCHECK')));
    return runCli([], {}, [program, ...first]);
  };

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'fieldbench-image-'));
    await chmod(root, 0o755);
    for (const folder of ['bin', 'dev']) await mkdir(at(folder));
    await base();
    for (const instruction of image.instructions) {
      if (instruction.name === 'COPY') await copy(instruction.text.split(/\s+/));
      if (instruction.name === 'RUN')
        execFileSync('/usr/sbin/chroot', [root, '/bin/sh', '-e', '-c', instruction.text], {
          env: { PATH: '/bin' },
        });
    }
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  /** Of debian:slim: a shell, what the steps use, and the libraries of C and C++. */
  async function base(): Promise<void> {
    const tools = ['/bin/sh', '/usr/bin/install', '/usr/bin/env', '/bin/cat'];
    for (const tool of tools) await cp(tool, at(join('bin', basename(tool))), { dereference: true });
    const said = execFileSync('ldd', [...tools, join(PROJECT, 'node_modules/node/bin/node')], {
      encoding: 'utf8',
    });
    for (const library of new Set(Array.from(said.matchAll(/(\/\S+) \(0x/g), ([, path = '']) => path)))
      await cp(library, at(library), { dereference: true });
    execFileSync('mknod', ['-m', '666', at('dev/null'), 'c', '1', '3']);
    execFileSync('mknod', ['-m', '666', at('dev/urandom'), 'c', '1', '9']);
  }

  /** As COPY does: several go into a folder, of a folder what is in it; a pattern has to match. */
  async function copy(words: readonly string[]): Promise<void> {
    const to = words.at(-1)!;
    const sources = words.slice(0, -1).map((from) => globSync(from.replace(/^\/src\//, `${PROJECT}/`)));
    expect(sources.filter((found) => found.length === 0)).toEqual([]);
    for (const source of sources.flat()) {
      const target = at(to.endsWith('/') ? join(to, basename(source)) : to);
      await mkdir(dirname(target), { recursive: true });
      const isLarge = (await stat(source)).size > 50e6;
      if (isLarge) await link(source, target).catch(() => cp(source, target));
      else await cp(source, target, { recursive: true });
    }
  }

  test('has the licences of what is in it', async () => {
    const [node, ours] = await Promise.all(
      ['usr/local/share/doc/node/LICENSE', 'opt/fieldbench/out/renderer/licences.txt'].map((file) =>
        readFile(at(file), 'utf8'),
      ),
    );
    expect(node).toContain('Node.js is licensed for use as follows');
    expect(ours).toMatch(/^zod [\d.]+: MIT$/m);
  });

  test('starts without rights, keeps its data and its key in the volume, is well, and ends on SIGTERM', async () => {
    expect((await health()).code).toBe(4);
    const first = await start();
    const { api_key } = first.info;
    await first.call('POST', '/_local/v1/projects', { name: 'Kept' });
    const well = await health();
    expect([well.code, well.stderr]).toEqual([0, '']);
    for (const file of ['ready.json', 'vault.json']) {
      const { uid: owner, mode } = await stat(at(join('data', file)));
      expect([file, owner, mode & 0o077]).toEqual([file, Number(uid), 0]);
    }
    expect(await first.stop()).toBe(0);
    expect((await health()).code).toBe(4);

    const second = await start();
    try {
      expect(second.info.api_key).toBe(api_key);
      const kept = await second.call<{ name: string }[]>('GET', '/v2/projects');
      expect(kept.map(({ name }) => name)).toEqual(['Kept']);
    } finally {
      expect(await second.stop()).toBe(0);
    }
  });

  test('is reached by another port of this machine, with its certificate trusted', async () => {
    const service = await start();
    const published = await publish(Number(new URL(service.info.base_url).port));
    try {
      const ca = await readFile(at(service.info.ca_file!), 'utf8');
      const { port } = published.address() as { port: number };
      const asked = get(`https://localhost:${port}/v2/projects`, {
        ca,
        headers: { authorization: `Bearer ${service.info.api_key}` },
        agent: false,
      });
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBe(200);
    } finally {
      published.close();
      expect(await service.stop()).toBe(0);
    }
  });
});

/** What `docker run --publish` does: another port, the same bytes. */
async function publish(port: number): Promise<Server> {
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    from.pipe(to).pipe(from);
    from.on('error', () => to.destroy());
    to.on('error', () => from.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
