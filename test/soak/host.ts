import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Held, Question, ServiceOptions, Started, Stopped, Turns } from './service.ts';

const SCRIPT = fileURLToPath(new URL('./service.ts', import.meta.url));

/** A service of a soak or a fuzz and the way to it. */
export interface Host extends Started {
  readonly pid: number | undefined;
  /** What it holds now. */
  held(): Promise<Held>;
  /** How it kept others waiting since it was asked the last time. */
  turns(): Promise<Turns>;
  /** A fresh link to the console; null where it has none. */
  console(): Promise<string | null>;
  /** Ends it in order, and resolves with what that took; rejects where it does not end well. */
  stop(): Promise<Stopped>;
  /** SIGKILL, where it still runs. */
  kill(): Promise<void>;
}

/** What is started, and how, beside the service's own options. */
interface HostOptions extends Omit<ServiceOptions, 'directory'> {
  /** The service where it is not the one of the sources. */
  readonly script?: string;
  /** More flags for Node. */
  readonly flags?: readonly string[];
  /** More of an environment. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts a service over a directory. */
export async function startHost(
  directory: string,
  { script = SCRIPT, flags = [], environment = {}, ...rest }: HostOptions = {},
): Promise<Host> {
  const options: ServiceOptions = { directory, ...rest };
  const child = fork(script, [JSON.stringify(options)], {
    execArgv: ['--expose-gc', ...flags],
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const { url, mqtt, key } = (await messageOf(child)) as Started;

  function ask(question: Question): Promise<unknown> {
    const answer = messageOf(child);
    child.send(question);
    return answer;
  }

  return {
    pid: child.pid,
    url,
    mqtt,
    key,
    held: async () => (await ask('held')) as Held,
    turns: async () => (await ask('turns')) as Turns,
    console: async () => (await ask('console')) as string | null,
    async stop() {
      const exit = once(child, 'exit') as Promise<[number | null]>;
      const told = messageOf(child);
      child.kill('SIGTERM');
      const stopped = (await told) as Stopped;
      const [code] = await exit;
      if (code !== 0) throw new Error(`The service ended with ${code}.`);
      return stopped;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null)
    throw new Error(`The service has ended with ${child.exitCode ?? child.signalCode}.`);
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
