import { fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { dirname, parse, resolve } from 'node:path';
import type { FromIsolate } from './messages.ts';
import type { StartIsolate } from './port.ts';

/** Characters of what a process said at its end. */
const MOST_SAID = 1000;

export interface ForkOptions {
  /** Absolute path of `isolate.ts`, or of what was built of it. */
  readonly script: string;
  /** Folders whose files the process may read; those of its code where none is named. */
  readonly folders?: readonly string[];
}

/** Returns what starts processes by Node: with no environment, and, by Node's permission model, no files but their code and no processes. */
export function forkIsolates({ script, folders = [codeOf(script)] }: ForkOptions): StartIsolate {
  const execArgv = [...permissions(process.versions.node, folders), '--max-old-space-size=64'];
  return () => {
    const child = fork(script, [], {
      execArgv,
      env: environment(),
      cwd: parse(process.execPath).root,
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // A process without a call holds nobody up.
    child.unref();
    child.channel?.unref();
    let said = '';
    // Piped, it is a socket.
    const stderr = child.stderr as Socket;
    stderr.setEncoding('utf8').unref();
    stderr.on('data', (text: string) => {
      said = (said + text).slice(-MOST_SAID);
    });
    const { promise: ended, resolve: end } = Promise.withResolvers<string>();
    child.on('error', (error) => end(error.message));
    child.on('close', (code, signal) =>
      end([`It ended with ${signal ?? code}.`, said.trim()].join(' ').trim()),
    );
    return {
      post: (message) => {
        // One that has just ended is told of by 'close'.
        if (child.connected) child.send(message, () => undefined);
      },
      onMessage: (heard) => void child.on('message', (message: unknown) => heard(message as FromIsolate)),
      onExit: (heard) => void ended.then(heard),
      kill: () => {
        // Somebody may wait for its end.
        child.ref();
        stderr.ref();
        child.kill('SIGKILL');
      },
    };
  };
}

/** Returns the folder of all code that a script needs: of sources that of the project, which has their packages. */
const codeOf = (script: string) =>
  script.endsWith('.ts') ? resolve(dirname(script), '../../../..') : dirname(script);

/** Windows starts no program without it. */
function environment(): NodeJS.ProcessEnv {
  const root = process.env['SystemRoot'];
  return process.platform === 'win32' && root !== undefined ? { SystemRoot: root } : {};
}

/** Returns the flags of Node's permission model, as this version has them. */
export function permissions(version: string, folders: readonly string[]): readonly string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isStable = major > 23 || (major === 23 && minor >= 5);
  return [
    ...(isStable ? ['--permission'] : ['--experimental-permission', '--disable-warning=ExperimentalWarning']),
    // Of threads, whose code is the process's own, it warns on each start.
    '--disable-warning=SecurityWarning',
    '--allow-worker',
    ...folders.map((folder) => `--allow-fs-read=${folder}`),
  ];
}
