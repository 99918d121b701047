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
 * @property {boolean} [forward] pass SIGINT, SIGTERM and SIGHUP on to the command and wait for it
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

const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

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
      ? forwardSignals((signal) => {
          interruption = signal;
          end(signal);
        }, group)
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
 * @param {(signal: NodeJS.Signals) => void} end
 * @param {boolean} ownGroup whether the command lives in a process group of its own
 * @returns {() => void} stops forwarding
 */
function forwardSignals(end, ownGroup) {
  // Ctrl+C in a terminal reaches everyone of our process group; passing it on would make it two, which means "at once" to many.
  const terminalSends = process.stdin.isTTY && !ownGroup;
  const listeners = SIGNALS.map((signal) => {
    const listener = () => {
      if (!(signal === 'SIGINT' && terminalSends)) end(signal);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return () => {
    for (const { signal, listener } of listeners) process.off(signal, listener);
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
