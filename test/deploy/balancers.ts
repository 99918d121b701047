import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { vi } from 'vitest';
import { PATIENTLY } from '../helpers/patiently.ts';
import { PROJECT } from './lab-page.ts';

/* The balancers of deploy/, with nothing but their ports, addresses and paths replaced. */

export const LAB = 'lab.example.org';
const NAMES = ['one', 'two', 'three'];

/** Where a service listens, on this machine. */
export interface Place {
  readonly https: number;
  readonly mqtts: number;
}

export interface Balancer {
  readonly https: number;
  readonly mqtts: number;
  readonly mqtt: number;
  /** What it wrote so far. */
  said(): string;
  stop(): Promise<void>;
}

export interface Kind {
  readonly name: 'haproxy' | 'nginx';
  /** Why it cannot be tried here; null where it can. */
  readonly lacks: string | null;
  readonly file: string;
  /** The folder of its files. */
  readonly etc: string;
  /** The name of a service, with a port of its own, in place of one for all. */
  place(text: string, name: string, place: Place): string;
  /** Arguments that check a file, and that run it in the foreground. */
  check(file: string, folder: string): readonly string[];
  run(file: string, folder: string): readonly string[];
}

const isRoot = process.getuid?.() === 0;
const isThere = (program: string) => spawnSync(program, ['-v']).error === undefined;
const lacking = (program: string, packages: string) =>
  isThere(program) ? null : `${program} is not here: apt-get install ${packages}`;

/** Lines that root alone may obey. */
const privileged = /^\s*(?:user|group) (?:haproxy|www-data);?\n/gm;
// Debian's prefix, where its modules are.
const nginxArgs = (file: string, folder: string) => [
  '-c',
  file,
  '-e',
  'stderr',
  '-g',
  `daemon off; pid ${folder}/nginx.pid;`,
];

export const KINDS: readonly Kind[] = [
  {
    name: 'haproxy',
    lacks: lacking('haproxy', 'haproxy'),
    file: 'haproxy.cfg',
    etc: '/etc/haproxy',
    place: (text, name, { https, mqtts }) =>
      text
        .replaceAll(`${name}.${LAB}:7443`, `127.0.0.1:${https}`)
        .replaceAll(`${name}.${LAB}:8883`, `127.0.0.1:${mqtts} port ${https}`),
    check: (file) => ['-c', '-f', file],
    run: (file) => ['-db', '-f', file],
  },
  {
    name: 'nginx',
    lacks: lacking('nginx', 'nginx-light libnginx-mod-stream'),
    file: 'nginx.conf',
    etc: '/etc/nginx',
    place: (text, name, { https, mqtts }) =>
      text
        .replaceAll(`${name}.${LAB}:7443`, `127.0.0.1:${https}`)
        .replaceAll(`${name}.${LAB}:8883`, `127.0.0.1:${mqtts}`)
        .replace('include /etc/nginx/modules-enabled/', 'include MODULES'),
    check: (file, folder) => ['-t', ...nginxArgs(file, folder)],
    run: (file, folder) => nginxArgs(file, folder),
  },
];

/**
 * Starts a balancer in front of three services. `folder` has the certificates that docs/lab.md makes, and lets other users
 * through. Throws where it refuses the file, with its words.
 */
export async function startBalancer(kind: Kind, folder: string, places: readonly Place[]): Promise<Balancer> {
  const [https = 0, mqtts = 0, mqtt = 0] = await freePorts(3);
  let text = readFileSync(join(PROJECT, 'deploy', kind.file), 'utf8');
  for (const [at, name] of NAMES.entries()) text = kind.place(text, name, places[at]!);
  text = text
    .replace(/(bind :|listen )443\b/, `$1${https}`)
    .replace(/(bind :|listen )8883\b/, `$1${mqtts}`)
    .replace(/# (bind :|listen )1883\b/, `$1${mqtt}`)
    .replaceAll(`${kind.etc}/`, `${folder}/`)
    .replace('MODULES', '/etc/nginx/modules-enabled/');
  if (kind.name === 'nginx') text = text.replace('http {\n', `http {\n${temporaryPaths(folder)}`);
  if (!isRoot) text = text.replaceAll(privileged, '');
  const file = join(folder, kind.file);
  await writeFile(file, text);
  await giveCertificate(folder);
  const checked = spawnSync(kind.name, kind.check(file, folder), { encoding: 'utf8' });
  if (checked.status !== 0)
    throw new Error(`${kind.name} refuses ${file}:\n${checked.stdout}${checked.stderr}`);
  const child = spawn(kind.name, kind.run(file, folder), { stdio: ['ignore', 'pipe', 'pipe'] });
  const balancer = { https, mqtts, mqtt, ...followed(child) };
  await vi.waitFor(() => connects(https), PATIENTLY);
  return balancer;
}

async function connects(port: number): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  socket.destroy();
}

/** Folders that Debian's nginx has below /var, which belong to root. */
const temporaryPaths = (folder: string) =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${folder}/${name};\n`)
    .join('');

/** The certificate as both balancers want it. */
async function giveCertificate(folder: string): Promise<void> {
  const [cert, key] = await Promise.all(['pem', 'key'].map((end) => readFile(join(folder, `${LAB}.${end}`))));
  await writeFile(join(folder, 'lab.pem'), Buffer.concat([cert!, key!]), { mode: 0o600 });
  await writeFile(join(folder, 'lab.crt'), cert!);
  await writeFile(join(folder, 'lab.key'), key!, { mode: 0o600 });
}

function followed(child: ChildProcess): Pick<Balancer, 'said' | 'stop'> {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (bytes: Buffer) => (text = (text + bytes.toString()).slice(-20_000)));
  const exited = once(child, 'exit');
  return {
    said: () => text,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** So many ports that nobody has at this moment. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
