import { parse } from 'node:path';
import type { FromIsolate, ToIsolate } from '#core/functions/sandbox/messages.ts';
import type { StartIsolate } from '#core/functions/sandbox/port.ts';

/** What Electron calls the processes in which functions of users run. */
export const ISOLATE_NAME = 'Fieldbench functions';

/** `utilityProcess` of Electron, as far as it is used. */
interface Utilities {
  fork(script: string, args: string[], options: Options): Utility;
}

interface Options {
  readonly env: Record<string, string>;
  readonly cwd: string;
  readonly stdio: 'ignore';
  readonly serviceName: string;
}

interface Utility {
  readonly pid: number | undefined;
  postMessage(message: ToIsolate, transfer: never[]): void;
  on(name: 'message', heard: (message: FromIsolate) => void): unknown;
  once(name: 'exit', heard: (code: number) => void): unknown;
  once(name: 'spawn', heard: () => void): unknown;
  kill(): boolean;
}

/** Returns what starts processes by Electron, which runs no script as Node does (packaging/fuses.mjs). */
export const utilityIsolates =
  (utilities: Utilities, script: string): StartIsolate =>
  () => {
    const child = utilities.fork(script, [], {
      env: {},
      cwd: parse(process.execPath).root,
      stdio: 'ignore',
      serviceName: ISOLATE_NAME,
    });
    let isKilled = false;
    const kill = () => {
      isKilled = true;
      // kill() asks, and a script may be busy.
      if (child.pid !== undefined) child.kill();
    };
    child.once('spawn', () => {
      if (isKilled) kill();
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    child.once('exit', (code) => end(`It ended with ${code}.`));
    return {
      post: (message) => child.postMessage(message, []),
      onMessage: (heard) => void child.on('message', heard),
      onExit: (heard) => void ended.then(heard),
      kill,
    };
  };
