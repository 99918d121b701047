import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Held, Started } from './service.ts';

const SCRIPT = fileURLToPath(new URL('./service.ts', import.meta.url));

/** A service of a soak and the way to it. */
export interface Host extends Started {
  /** What it holds now. */
  held(): Promise<Held>;
  /** Ends it in order; rejects where it does not end well. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(): Promise<void>;
}

/** Starts one over a directory, whose clock runs `factor` times as fast. */
export async function startHost(directory: string, factor: number): Promise<Host> {
  const child = fork(SCRIPT, [directory, String(factor)], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { url, key } = (await messageOf(child)) as Started;
  return {
    url,
    key,
    async held() {
      const answer = messageOf(child);
      child.send('held');
      return (await answer) as Held;
    },
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`The service ended with ${code}.`);
    },
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const given = new AbortController();
  const { signal } = given;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The service ended with ${String(code)} in the middle of the soak.`);
  });
  // The one that loses is given up, which is no failure.
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as [unknown];
    return message;
  } finally {
    given.abort();
  }
}
