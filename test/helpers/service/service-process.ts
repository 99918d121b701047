import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadyInfo } from '#core/cli/serve/ready-file.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import { CLI_SCRIPT } from './scripts.ts';

const START_MS = 90_000;

export interface RequestInit {
  readonly method?: string;
  /** Authorization is the ready file's key where it is not given; null sends none. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string | Uint8Array;
}

/** A real service in a process of its own, as a rig starts it. */
export interface ServiceProcess {
  readonly info: ReadyInfo;
  readonly pid: number;
  readonly directory: string;
  /** Asks the service; trusts its own CA. `path` is below the base URL, or a whole URL. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Asks with a JSON body and reads the envelope. */
  call<T = unknown>(method: string, path: string, body?: unknown): Promise<Envelope<T>>;
  /** What it wrote to stdout and stderr so far. */
  output(): string;
  /** Ends it in order, by SIGTERM if nothing else is said; resolves with the exit code. */
  stop(signal?: 'SIGTERM' | 'SIGINT' | 'SIGHUP'): Promise<number | null>;
  /** SIGKILL: what a power cut does to a process. */
  kill(): Promise<void>;
}

export interface StartOptions {
  /** Kept afterwards; without it a temporary one is made, and removed when the service ends. */
  readonly directory?: string;
  /**
   * More flags of `serve`; later ones win over the ports 0 and the memory vault, which a database leaves out. With
   * `--in-memory` there is no directory.
   */
  readonly args?: readonly string[];
  /** Where the ready file goes; without it, in a temporary folder. */
  readonly readyFile?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The command line to run; without it, the one under test. */
  readonly cli?: CommandLine;
}

/** A program and its first arguments. */
export type CommandLine = readonly [program: string, ...args: string[]];

/** The command line under test. */
export const COMMAND_LINE: CommandLine = [process.execPath, CLI_SCRIPT];

/** Starts `fieldbench serve` and waits until it listens. Rejects with its words where it cannot start. */
export async function startServiceProcess(options: StartOptions = {}): Promise<ServiceProcess> {
  const { args = [], env = {} } = options;
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  const data = options.directory ?? join(folder, 'data');
  const readyFile = options.readyFile ?? join(folder, 'ready.json');
  const flags = [
    ...(args.includes('--in-memory') ? [] : ['--data', data]),
    '--port',
    '0',
    '--http-port',
    '0',
    '--mqtt-port',
    '0',
    ...(args.includes('--store') ? [] : ['--vault', 'memory']),
    '--ready-file',
    readyFile,
  ];
  const child = spawnCli(['serve', ...flags, ...args], env, options.cli);
  const output = collect(child);
  const exited = once(child, 'exit').then(async ([code]) => {
    await rm(folder, { recursive: true, force: true });
    return code as number | null;
  });
  const info = await ready(readyFile, child, exited, output);
  const ca = info.ca_file === null ? info.ca_certificate : await readFile(info.ca_file, 'utf8');

  const ask: ServiceProcess['fetch'] = (path, init = {}) =>
    send(new URL(path, info.base_url), ca, {
      ...init,
      headers: { authorization: `Bearer ${info.api_key}`, ...init.headers },
    });
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return {
    info,
    pid: info.pid,
    directory: data,
    fetch: ask,
    async call<T>(method: string, path: string, body?: unknown) {
      const response = await ask(path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
      return (await response.json()) as Envelope<T>;
    },
    output,
    stop: (signal = 'SIGTERM') => end(signal),
    async kill() {
      await end('SIGKILL');
    },
  };
}

/** Runs the command line to its end. */
export async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cli: CommandLine = COMMAND_LINE,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawnCli(args, env, cli);
  const [stdout, stderr, [code]] = await Promise.all([
    buffer(child.stdout),
    buffer(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { code, stdout: stdout.toString(), stderr: stderr.toString() };
}

/** Starts the command line with pipes to listen to. */
export function spawnCli(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  [program, ...first]: CommandLine = COMMAND_LINE,
) {
  return spawn(program, [...first, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
}

async function ready(
  file: string,
  child: ChildProcess,
  exited: Promise<number | null>,
  output: () => string,
): Promise<ReadyInfo> {
  for (const deadline = Date.now() + START_MS; Date.now() < deadline; await delay(20)) {
    const text = await readFile(file, 'utf8').catch(() => 'null');
    const info = JSON.parse(text) as ReadyInfo | null;
    // One with another pid was left by a service that was killed.
    if (info !== null && info.pid === child.pid) return info;
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`The service ended with ${await exited} before it was ready:\n${output()}`);
  }
  child.kill('SIGKILL');
  await exited;
  throw new Error(`The service was not ready after ${START_MS} ms:\n${output()}`);
}

/** fetch with a CA of its own, which the global one cannot be given. The whole body is read. */
async function send(url: URL, ca: string | undefined, init: RequestInit): Promise<Response> {
  const headers = Object.fromEntries(
    Object.entries(init.headers ?? {}).filter(([, value]) => value !== null),
  );
  const options = { method: init.method ?? 'GET', headers: headers as Record<string, string> };
  const request =
    url.protocol === 'https:' ? httpsRequest(url, { ...options, ca }) : httpRequest(url, options);
  request.end(init.body);
  const [answer] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
  const body = await buffer(answer);
  const received = new Headers();
  for (const [name, values = []] of Object.entries(answer.headersDistinct))
    for (const value of values) received.append(name, value);
  return new Response(body.length > 0 ? new Uint8Array(body) : null, {
    status: answer.statusCode ?? 0,
    headers: received,
  });
}
