import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onDisplay } from '../lib/electron.mjs';
import { CommandError } from '../lib/project.mjs';
import { run } from '../lib/run.mjs';

const LOOK_EVERY_MS = 100;
/** From the start of a program to its ready file, and from a request to stop to its end. */
const PATIENCE_MS = 60_000;
const NAME = 'Kept over an update';

/** @typedef {{ http_url: string, api_key: string }} Ready */
/** @typedef {{ ready: Ready, ended: Promise<string> }} Running ended: its exit code and what it wrote */

/**
 * Has the app running with something in it, installs it again, and looks that it was ended by being asked, never killed, and
 * that what was in it is there at the next start.
 * @param {object} how
 * @param {string} how.program
 * @param {import('./systems.mjs').System['asked']} how.asked
 * @param {() => Promise<void>} how.install
 * @param {string} how.folder what the app's user has; its data stays in it
 * @param {NodeJS.ProcessEnv} how.env that user's
 * @returns {Promise<readonly string[]>} what was seen
 */
export async function updateWhileItRuns({ program, asked, install, folder, env }) {
  mkdirSync(folder, { recursive: true });
  const first = await start(program, folder, env);
  await ask(first.ready, 'POST', { name: NAME, description: '' });
  const seen = ['it runs, and a project is in it'];
  if (asked === 'before') await stop(program, env, first);
  await install();
  if (asked === 'after') {
    // What is replaced beneath it does not reach what it has open.
    await keeps(first.ready);
    seen.push('it went on while it was installed again');
    await stop(program, env, first);
  }
  const end = await within(first.ended, 'The app was not ended by the installation');
  if (!end.startsWith('0\n')) throw new CommandError(`The app was ended with ${end}`);
  if (existsSync(readyFile(folder)))
    throw new CommandError('The app left its ready file: it was not closed in order.');
  seen.push(
    asked === 'while' ? 'the installer stopped it, in order' : 'fieldbench stop stopped it, in order',
  );
  const second = await start(program, folder, env);
  await keeps(second.ready);
  seen.push('the project is there at the next start');
  await stop(program, env, second);
  await within(second.ended, 'The app did not stop');
  return seen;
}

/** @param {string} folder */
const readyFile = (folder) => path.join(folder, 'ready.json');

/**
 * @param {string} program
 * @param {string} folder
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Running>}
 */
async function start(program, folder, env) {
  const file = readyFile(folder);
  rmSync(file, { force: true });
  const ports = ['--port', '0', '--http-port', '0', '--mqtt-port', '0'];
  // No keychain: it would be the user's own.
  const [command, ...args] = onDisplay([program, '--vault', 'file', '--ready-file', file, ...ports]);
  const ended = run(command, args, { env, output: 'quiet' }).then(({ code, output }) => `${code}\n${output}`);
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline;) {
    if (existsSync(file)) return { ready: JSON.parse(readFileSync(file, 'utf8')), ended };
    const said = await Promise.race([ended, sleep(LOOK_EVERY_MS, null)]);
    if (said !== null) throw new CommandError(`${program} ended with ${said}`);
  }
  throw new CommandError(`${program} was not ready after ${PATIENCE_MS / 1000} s.`);
}

/**
 * @param {string} program
 * @param {NodeJS.ProcessEnv} env
 * @param {Running} running
 */
async function stop(program, env, running) {
  const { code, output } = await run(program, ['stop'], { env, output: 'quiet' });
  if (code !== 0) throw new CommandError(`${program} stop failed (${code}): ${output}`);
  await within(running.ended, 'fieldbench stop is back, and the app did not end');
}

/** @param {Ready} ready */
async function keeps(ready) {
  const { data } = await ask(ready, 'GET');
  if (!data.some(({ name }) => name === NAME))
    throw new CommandError(`The project is gone: ${JSON.stringify(data)}`);
}

/**
 * @param {Ready} ready
 * @param {'GET' | 'POST'} method
 * @param {object} [body]
 * @returns {Promise<{ data: readonly { name: string }[] }>}
 */
async function ask({ http_url, api_key }, method, body) {
  const answer = await fetch(`${http_url}/${method === 'GET' ? 'v2' : '_local/v1'}/projects`, {
    method,
    headers: { authorization: `Bearer ${api_key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok)
    throw new CommandError(`${method} of projects answered ${answer.status}: ${await answer.text()}`);
  return /** @type {{ data: readonly { name: string }[] }} */ (await answer.json());
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {string} otherwise
 */
async function within(promise, otherwise) {
  const late = Symbol('late');
  const result = await Promise.race([promise, sleep(PATIENCE_MS, late, { ref: false })]);
  if (result === late) throw new CommandError(`${otherwise}.`);
  return /** @type {T} */ (result);
}
