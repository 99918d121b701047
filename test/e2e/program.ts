import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the service writes to its ready file once everything listens (docs/running.md, "Command line"). */
export interface Ready {
  readonly version: string;
  readonly pid: number;
  readonly base_url: string;
  readonly http_url: string | null;
  readonly ca_file: string | null;
  readonly console_url: string | null;
  readonly account_id: string;
  readonly api_key: string;
}

const READY_MS = 60_000;
/** The service promises 5 s; a window takes its own time. */
const STOP_MS = 15_000;

/** The ready file once it is there. `failed` says why it will never be, or null while it may. */
async function waitForReady(file: string, failed: () => string | null = () => null): Promise<Ready> {
  for (const deadline = Date.now() + READY_MS; ; await sleep(25)) {
    const content = await readFile(file, 'utf8').catch(() => null);
    if (content !== null) return JSON.parse(content) as Ready;
    const why = failed() ?? (Date.now() > deadline ? `was not ready after ${READY_MS / 1000} s` : null);
    if (why !== null) throw new Error(`The app ${why}.`);
  }
}

export interface Program {
  /** Everything it wrote so far, on both streams. */
  output(): string;
  /** Rejects with the program's output if it ends before it is ready. */
  ready(file: string): Promise<Ready>;
  /** Waits until it ends by itself; its exit code, or the signal's name. */
  readonly end: Promise<string>;
  /** Asks it to end, by a signal or by `ask`, and waits; throws with its output when it fails or does not end. */
  stop(ask?: () => Promise<void>): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Closes this end of its output, as a terminal that goes. */
  stopReading(): void;
}

/** Runs a program; its first word is the executable. */
export function startProgram(command: readonly string[], env: NodeJS.ProcessEnv = process.env): Program {
  const [executable = '', ...args] = command;
  const child = spawn(executable, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part) => (text += part));
  let ended: string | null = null;
  const end = once(child, 'close').then(([code, signal]) => (ended = String(code ?? signal)));

  return {
    output: () => text,
    end,
    stopReading() {
      child.stdout.destroy();
      child.stderr.destroy();
    },
    signal: (name) => void child.kill(name),
    ready: (file) => waitForReady(file, () => ended && `ended with ${ended}:\n${text}`),
    async stop(ask) {
      if (ask !== undefined && child.exitCode === null) await ask();
      else child.kill('SIGTERM');
      const how = await Promise.race([end, sleep(STOP_MS, null, { ref: false })]);
      if (how === null) child.kill('SIGKILL');
      // Windows has no signals: there to send one is to kill.
      const asked = process.platform === 'win32' && ask === undefined ? 'SIGTERM' : '0';
      if (how !== asked)
        throw new Error(`The app was asked to end and ${how ? `ended with ${how}` : 'did not'}:\n${text}`);
    },
  };
}
