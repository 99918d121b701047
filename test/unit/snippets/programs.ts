import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { which } from '../../../scripts/lib/run.mjs';

/* The programs that snippets are made for, as people have them. */

/** Resolves with what it printed; rejects where it ends with another code than 0. */
const run = promisify(execFile);

/** Runs a snippet as it is, with a folder for what that needs; rejects where it fails. */
export type RunSnippet = (text: string, folder: string) => Promise<unknown>;

const ARDUINO = resolve('test/arduino');

/** Those that `python3` may be: the one of a version manager has not what the system's packages bring. */
const python = ['python3', '/usr/bin/python3'].find((name) => works(name, '-c', 'import paho.mqtt.publish'));

export const runInShell: RunSnippet = (text) => run('sh', ['-c', text]);

export const runPython: RunSnippet = async (text, folder) => {
  const file = join(folder, 'reading.py');
  await writeFile(file, text);
  return await run(python ?? 'python3', [file]);
};

/** In a folder of this tree, so that packages are found as in one where they were installed. */
export const runNode: RunSnippet = async (text) => {
  const folder = await mkdtemp(resolve('node_modules/.snippet-'));
  try {
    const file = join(folder, 'reading.mjs');
    await writeFile(file, text);
    return await run(process.execPath, [file]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const runSketch =
  (main: string, libraries: readonly string[]): RunSnippet =>
  async (text, folder) => {
    const [sketch, program] = [join(folder, 'sketch.ino'), join(folder, 'sketch')];
    await writeFile(sketch, text);
    const warnings = ['-Wall', '-Wextra', '-Werror'];
    const sources = ['-I', ARDUINO, '-include', sketch, join(ARDUINO, main)];
    await run('g++', ['-std=gnu++17', ...warnings, ...sources, ...libraries, '-o', program]);
    return await run(program, []);
  };
export const runMqttSketch = runSketch('main-mqtt.cpp', ['-lmosquitto']);
export const runHttpSketch = runSketch('main-http.cpp', []);

/** Why a snippet cannot be run on this machine, with Debian's name of what it lacks; null where it can. */
export const lacking = {
  nothing: null,
  curl: which('curl') === null ? 'no curl' : null,
  anyPython: works('python3', '--version') ? null : 'no python3',
  httpSketch: which('g++') === null || which('curl') === null ? 'no g++ with curl' : null,
  shell: which('mosquitto_pub') === null ? 'no mosquitto_pub (mosquitto-clients)' : null,
  python: python === undefined ? 'no paho for Python (python3-paho-mqtt)' : null,
  sketch: works('g++', '-fsyntax-only', '-x', 'c++', '-include', 'mosquitto.h', '/dev/null')
    ? null
    : 'no g++ with libmosquitto (g++, libmosquitto-dev)',
};

function works(program: string, ...args: string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
