import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import path from 'node:path';
import { CommandError, Interrupted, ROOT } from './project.mjs';

/**
 * @typedef {object} RunOptions
 * @property {string} [cwd] the project's folder by default
 * @property {NodeJS.ProcessEnv} [env] the whole environment; this process's by default
 * @property {'show' | 'tee' | 'quiet'} [output] shown (default), shown and collected, or collected only
 * @property {(text: string) => void} [onOutput] hears what is collected, as it comes
 * @property {boolean | (() => void)} [forward] pass on to the command what asks us to stop, and wait for it; a function is called instead
 * @property {boolean} [input] give the command our standard input
 * @property {number} [limitMs] after so many ms the command and all that it started are ended
 * @property {AbortSignal} [signal] ends the command
 */

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 128 + signal number when a signal ended it, as shells report it
 * @property {string} output what was collected, stdout and stderr as they came; '' with output 'show'
 * @property {boolean} timedOut whether limitMs ended it
 */

/** @type {readonly NodeJS.Signals[]} */
const SIGNALS =
  process.platform === 'win32' ? ['SIGINT', 'SIGHUP', 'SIGBREAK'] : ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a command to its end. Rejects with a CommandError when it cannot be started at all, and with Interrupted when this
 * process is asked to stop while a command with a limit runs: what would have come after it must not.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
export function run(command, args, options = {}) {
  const { output = 'show', limitMs } = options;
  // Only a process group can be ended with all that it started, browsers and servers included. Windows has none.
  const group = limitMs !== undefined && process.platform !== 'win32';
  const child = spawn(command, args, {
    cwd: options.cwd ?? ROOT,
    env: options.env ?? process.env,
    detached: group,
    stdio: [options.input ? 'inherit' : 'ignore', ...streams(output)],
  });

  /** @param {NodeJS.Signals} signal */
  const end = (signal) => {
    if (!group) child.kill(signal);
    else if (child.pid !== undefined) killGroup(child.pid, signal);
  };

  let collected = '';
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from?.setEncoding('utf8').on('data', (text) => {
      collected += text;
      options.onOutput?.(text);
      if (output === 'tee') to.write(text);
    });
  }

  options.signal?.addEventListener('abort', () => end('SIGKILL'));
  let timedOut = false;
  const limit =
    limitMs === undefined
      ? undefined
      : setTimeout(() => {
          timedOut = true;
          end('SIGKILL');
        }, limitMs);

  /** @type {NodeJS.Signals | null} */
  let interruption = null;
  const stopForwarding =
    options.forward || group
      ? forwardSignals(
          (signal) => {
            interruption = signal;
            if (typeof options.forward === 'function') options.forward();
            else end(signal);
          },
          { hears: sentByTerminal(process, group || typeof options.forward === 'function') },
        )
      : () => {};

  return new Promise((resolve, reject) => {
    child.on('error', (error) => {
      clearTimeout(limit);
      stopForwarding();
      reject(new CommandError(`${command} could not be started: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      stopForwarding();
      if (group && interruption !== null) return reject(new Interrupted(interruption));
      resolve({ code: code ?? 128 + osConstants.signals[signal ?? 'SIGKILL'], output: collected, timedOut });
    });
  });
}

/**
 * @param {number} leader process id
 * @param {NodeJS.Signals} signal
 */
function killGroup(leader, signal) {
  try {
    process.kill(-leader, signal);
  } catch (error) {
    // ESRCH: all of them have ended already, which is what was asked for.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * @param {'show' | 'tee' | 'quiet'} output
 * @returns {['inherit', 'inherit'] | ['pipe', 'pipe']}
 */
const streams = (output) => (output === 'show' ? ['inherit', 'inherit'] : ['pipe', 'pipe']);

/**
 * What reaches a command besides us, without our help: a terminal sends to all of its foreground group, Ctrl+C as its own
 * end. Windows tells all programs of a console and knows no other signals.
 * @param {{ platform: string, stdin: { isTTY?: boolean } }} system
 * @param {boolean} apart whether the command has a group of its own, or no console
 * @returns {ReadonlySet<NodeJS.Signals>}
 */
export function sentByTerminal({ platform, stdin }, apart) {
  if (apart) return new Set();
  if (platform === 'win32') return new Set(['SIGINT', 'SIGHUP', 'SIGBREAK']);
  return new Set(stdin.isTTY ? ['SIGINT', 'SIGHUP'] : []);
}

/** Programs take a second request for "at once": whoever wants that asks again, later than anyone passes on the first. */
const SAME_REQUEST_MS = 500;

/**
 * Passes a request to stop on once, however often and from whomever it comes.
 * @param {(signal: NodeJS.Signals) => void} end
 * @param {{ hears: ReadonlySet<NodeJS.Signals>, from?: NodeJS.EventEmitter }} command what reaches it by itself; who gets the
 *   signals, this process
 * @returns {() => void} stops forwarding
 */
export function forwardSignals(end, { hears, from = process }) {
  /** @type {number | null} */
  let first = null;
  const listeners = SIGNALS.map((signal) => {
    const listener = () => {
      const now = performance.now();
      const isSame = first !== null && now - first < SAME_REQUEST_MS;
      first ??= now;
      if (!isSame && !hears.has(signal)) end(signal);
    };
    from.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) from.off(signal, listener);
  };
}

/**
 * The file that a command's name stands for, or null.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | null}
 */
export function which(name, env = process.env) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of searchPath(env)) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (isExecutable(file)) return file;
    }
  }
  return null;
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]} the folders in which commands are looked for
 */
export const searchPath = (env) =>
  (env.PATH ?? env.Path ?? '').split(path.delimiter).filter((folder) => folder !== '');

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Missing, unreadable, not executable: either way not a command.
    return false;
  }
}
