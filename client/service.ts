import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from './client.ts';
import type * as Public from './public.d.ts';

/** The built command line lies beside the built client. */
const CLI = join(import.meta.dirname, 'cli.js');

const START_MS = 30_000;
/** A service ends within 5 s (docs/running.md, "Exit codes and signals"); a busy machine takes longer. */
const STOP_MS = 20_000;

export const startService: typeof Public.startService = async (options = {}) => {
  const flags = flagsOf(options);
  const folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  const readyFile = join(folder, 'ready.json');
  const child = spawn(process.execPath, [CLI, 'serve', '--ready-file', readyFile, ...flags], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const ended = endOf(child).finally(() => {
    process.removeListener('exit', end);
    rmSync(folder, { recursive: true, force: true });
  });
  // Whoever waits hears of it: the start, or stop().
  ended.catch(() => undefined);
  try {
    await listening(child, ended, { readyFile, timeoutMs: options.timeoutMs ?? START_MS });
    const ready = JSON.parse(await readFile(readyFile, 'utf8')) as Public.ReadyFile;
    const url = ready.http_url ?? ready.base_url;
    const stop = async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      const why = await within(STOP_MS, ended, 'did not end');
      // On Windows a process has no signals, and ends at once.
      if (why !== 'exit code 0' && !(process.platform === 'win32' && child.killed))
        throw failure(why, output);
    };
    return {
      url,
      key: ready.api_key,
      client: createClient({ url, key: ready.api_key }),
      ready,
      output: () => output,
      stop,
      [Symbol.asyncDispose]: stop,
    };
  } catch (error) {
    end();
    await ended.catch(() => undefined);
    throw failure((error as Error).message, output);
  }
};

/** Throws TypeError where it is to be in memory and in a folder, or in neither. */
function flagsOf(options: Public.StartOptions): string[] {
  const { data, inMemory = data === undefined, seed, clock, seedFile, args = [] } = options;
  if (inMemory === (data !== undefined))
    throw new TypeError('startService takes inMemory or data, a folder: one of the two.');
  return [
    ...(data === undefined ? ['--in-memory'] : ['--data', data, '--vault', 'file']),
    '--port',
    '0',
    '--http-port',
    '0',
    '--mqtt-port',
    '0',
    ...(seed === undefined ? [] : ['--seed', String(seed)]),
    ...(clock === undefined ? [] : ['--clock', clock]),
    ...(seedFile === undefined ? [] : ['--seed-file', seedFile]),
    ...args,
  ];
}

/** Resolves with how it ended, in words. Rejects where it could not be started. */
async function endOf(child: ChildProcess): Promise<string> {
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return signal === null ? `exit code ${code}` : signal;
}

/** Resolves once the ready file is there, which is written before the line that says so. */
async function listening(
  child: ChildProcess,
  ended: Promise<string>,
  { readyFile, timeoutMs }: { readonly readyFile: string; readonly timeoutMs: number },
): Promise<void> {
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (existsSync(readyFile)) resolve();
    });
  });
  const early = ended.then((how) => {
    throw new Error(`ended at its start, ${how}`);
  });
  await within(timeoutMs, Promise.race([ready, early]), `was not ready after ${timeoutMs} ms`);
}

/** Rejects with `otherwise` where it takes longer. */
async function within<T>(ms: number, work: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const failure = (why: string, output: string) => new Error(`fieldbench serve ${why}:\n${output.trim()}`);
