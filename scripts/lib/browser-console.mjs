import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NODE_24 } from './node24.mjs';
import { CLI } from './project.mjs';
import { run, which } from './run.mjs';

/** @typedef {{ command: string, args: string[] }} Opener the address goes behind its arguments */

const LOOK_EVERY_MS = 100;

/**
 * The service without a window, which prints the address of its console, and the console in the browser as soon as it
 * listens. A start that fails says why in the service's own words.
 * @param {readonly string[]} flags of `serve`
 * @param {{ open: boolean }} options open: false leaves the browser alone
 */
export async function runBrowserConsole(flags, { open }) {
  const opener = open ? findOpener() : null;
  return opener === null ? runService(flags) : runServiceAndOpen(flags, opener);
}

/** @param {readonly string[]} flags */
const runService = (flags) =>
  run(NODE_24, [CLI, 'serve', ...flags], { cwd: process.cwd(), forward: true, input: true });

/**
 * @param {readonly string[]} flags
 * @param {Opener} opener
 */
async function runServiceAndOpen(flags, opener) {
  const folder = mkdtempSync(path.join(tmpdir(), 'fieldbench-start-'));
  const asked = valueOf(flags, '--ready-file');
  const readyFile = asked ?? path.join(folder, 'ready.json');
  // One that a killed service left behind stays until the new one has come to removing it.
  const left = readReady(readyFile)?.pid;
  const look = setInterval(() => {
    const ready = readReady(readyFile);
    if (ready === null || ready.pid === left) return;
    clearInterval(look);
    if (ready.console_url !== null) openInBrowser(opener, ready.console_url);
  }, LOOK_EVERY_MS);
  try {
    return await runService(asked === undefined ? [...flags, '--ready-file', readyFile] : flags);
  } finally {
    clearInterval(look);
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * @param {readonly string[]} flags "--name value" or "--name=value"
 * @param {string} name
 * @returns {string | undefined} the last one given
 */
export function valueOf(flags, name) {
  /** @type {string | undefined} */
  let value;
  flags.forEach((flag, index) => {
    if (flag === name) value = flags[index + 1];
    else if (flag.startsWith(`${name}=`)) value = flag.slice(name.length + 1);
  });
  return value;
}

/**
 * @param {string} file
 * @returns {{ pid: number, console_url: string | null } | null} null until the service has written it
 */
function readReady(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * The command that opens an address in the default browser.
 * @param {{ platform: string, env: NodeJS.ProcessEnv }} [system]
 * @returns {Opener | null} null where there is none
 */
export function findOpener({ platform, env } = process) {
  if (platform === 'darwin') return { command: 'open', args: [] };
  // Not `start`: it belongs to cmd.exe, which takes "&" in an address for the end of the command.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler'] };
  // Without a display xdg-open starts a text browser in this terminal; BROWSER names one that lives elsewhere.
  const canShow = env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER;
  return canShow && which('xdg-open', env) !== null ? { command: 'xdg-open', args: [] } : null;
}

/**
 * @param {Opener} opener
 * @param {string} url
 */
function openInBrowser({ command, args }, url) {
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', (error) =>
    console.warn(`The browser did not open (${error.message}); the console's address stands above.`),
  );
  child.unref();
}
