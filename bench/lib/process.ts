import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A program of bench/children in a process of its own, so that it has a core, a heap and an event loop to itself. */
export interface Child {
  /** Sends it a message and resolves with its next one; rejects where it ends before. */
  ask<T>(message: object): Promise<T>;
  /** Resolves with its next message. */
  next<T>(): Promise<T>;
  /** Lets it finish by closing the channel; kills it where it does not within 10 s. */
  stop(): Promise<void>;
  /** SIGKILL: what a power cut does to a process. */
  kill(): Promise<void>;
}

export function startChild(name: string, nodeFlags: readonly string[] = []): Child {
  const process = fork(new URL(`../children/${name}.ts`, import.meta.url), {
    execArgv: [...nodeFlags],
    serialization: 'advanced',
  });
  const exited = once(process, 'exit');
  const next = <T>() => nextMessage(process, name) as Promise<T>;
  return {
    next,
    ask<T>(message: object) {
      if (!process.connected) return Promise.reject(new Error(`The child "${name}" has ended.`));
      const answer = next<T>();
      process.send(message);
      return answer;
    },
    async stop() {
      if (process.connected) process.disconnect();
      const patience = setTimeout(() => process.kill('SIGKILL'), 10_000);
      await exited;
      clearTimeout(patience);
    },
    async kill() {
      process.kill('SIGKILL');
      await exited;
    },
  };
}

/** One question to a child that lives no longer than its answer. */
export async function askOnce<T>(name: string, message: object, nodeFlags?: readonly string[]): Promise<T> {
  const child = startChild(name, nodeFlags);
  try {
    return await child.ask<T>(message);
  } finally {
    await child.stop();
  }
}

function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) =>
      reject(new Error(`The child "${name}" ended (${code}) before it answered.`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
