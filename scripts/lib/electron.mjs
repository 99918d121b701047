import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { NODE_24 } from './node24.mjs';
import { CACHE, ROOT, inProject } from './project.mjs';
import { isExecutable, run, which } from './run.mjs';

const PACKAGE = inProject('node_modules/electron');
const FAILED = path.join(CACHE, 'electron-download-failed');
const DOWNLOAD = path.join(CACHE, 'electron-download');
const FORGET_FAILURE_MS = 60 * 60 * 1000;
const PATIENCE_MS = 20_000;

/** @type {Partial<Record<NodeJS.Platform, string>>} */
const PROGRAMS = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/**
 * Electron's program: ELECTRON_EXEC_PATH, else in ELECTRON_OVERRIDE_DIST_PATH, else where its package keeps it.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [folder] Electron's package
 * @returns {string | null} null when there is none
 */
export function findElectron(env = process.env, folder = PACKAGE) {
  if (env.ELECTRON_EXEC_PATH) return isExecutable(env.ELECTRON_EXEC_PATH) ? env.ELECTRON_EXEC_PATH : null;
  const distribution = env.ELECTRON_OVERRIDE_DIST_PATH || path.join(folder, 'dist');
  const program = path.join(distribution, PROGRAMS[process.platform] ?? 'electron');
  // Electron's installer writes path.txt last: without it a download was unpacked half-way.
  const whole = env.ELECTRON_OVERRIDE_DIST_PATH || existsSync(path.join(folder, 'path.txt'));
  return whole && isExecutable(program) ? program : null;
}

/**
 * Why a window cannot open here, or null.
 * @param {{ platform: string, env: NodeJS.ProcessEnv, uid: number, sandbox: () => string | null }} system uid: -1 on
 *   Windows; sandbox: why there cannot be one
 * @returns {string | null}
 */
export function whyNoWindow({ platform, env, uid, sandbox }) {
  if (platform !== 'linux') return null;
  if (!env.DISPLAY && !env.WAYLAND_DISPLAY)
    return 'There is no display (DISPLAY and WAYLAND_DISPLAY are not set)';
  // Without a sandbox it would run, and a page that breaks out would become root.
  if (uid === 0) return 'Electron does not run as root';
  return sandbox();
}

/**
 * A window wants a display even when nobody looks: on Linux, where there is none and Xvfb is, a command gets a virtual one.
 * @param {readonly [string, ...string[]]} words a command and its arguments
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {readonly [string, ...string[]]}
 */
export function onDisplay(words, env = process.env) {
  const hasDisplay = process.platform !== 'linux' || env.DISPLAY || env.WAYLAND_DISPLAY;
  return hasDisplay || which('xvfb-run', env) === null ? words : ['xvfb-run', '-a', ...words];
}

/**
 * Electron's runtime, downloaded if need be. A failure is remembered for an hour, so that the next start is quick.
 * @returns {Promise<{ program: string } | { missing: string }>}
 */
export async function provideElectron() {
  const found = findElectron();
  if (found !== null) return { program: found };

  const failure = statSync(FAILED, { throwIfNoEntry: false });
  if (failure !== undefined && Date.now() - failure.mtimeMs < FORGET_FAILURE_MS) return notDownloaded();

  console.log("Downloading Electron's runtime …");
  const reason = await download();
  const program = findElectron();
  if (program !== null) {
    rmSync(FAILED, { force: true });
    return { program };
  }
  writeFileSync(FAILED, reason);
  return notDownloaded();
}

const notDownloaded = () => ({
  missing: `Electron's runtime could not be downloaded (${readFileSync(FAILED, 'utf8')}; "npx install-electron" tries again)`,
});

/**
 * Electron's own installer, ended when nothing has arrived for a while. A slow line may take as long as it needs,
 * so what counts is the bytes on disk: they arrive in a folder of ours, from which a broken download is removed.
 * @returns {Promise<string>} why it failed, if it did
 */
async function download() {
  rmSync(DOWNLOAD, { recursive: true, force: true });
  mkdirSync(DOWNLOAD, { recursive: true });
  try {
    const { output } = await runWhileGrowing([DOWNLOAD, path.join(PACKAGE, 'dist')], PATIENCE_MS, (signal) =>
      run(NODE_24, [path.join(PACKAGE, 'install.js')], {
        env: { ...process.env, TMPDIR: DOWNLOAD, TEMP: DOWNLOAD, TMP: DOWNLOAD },
        output: 'quiet',
        signal,
      }),
    );
    return (
      output.split('\n').find((line) => line.trim() !== '') ?? `nothing arrived for ${PATIENCE_MS / 1000} s`
    );
  } finally {
    rmSync(DOWNLOAD, { recursive: true, force: true });
  }
}

/**
 * @template T
 * @param {readonly string[]} folders
 * @param {number} patienceMs
 * @param {(signal: AbortSignal) => Promise<T>} work
 * @returns {Promise<T>} the work's outcome; its signal is aborted once no folder has grown for patienceMs
 */
export async function runWhileGrowing(folders, patienceMs, work) {
  const stalled = new AbortController();
  let size = -1;
  let since = Date.now();
  const watch = setInterval(
    () => {
      const now = folders.reduce((sum, folder) => sum + bytesBelow(folder), 0);
      if (now !== size) {
        size = now;
        since = Date.now();
      } else if (Date.now() - since > patienceMs) stalled.abort();
    },
    Math.min(1000, patienceMs / 4),
  );
  try {
    return await work(stalled.signal);
  } finally {
    clearInterval(watch);
  }
}

/**
 * @param {string} file
 * @returns {number}
 */
function bytesBelow(file) {
  try {
    const stats = statSync(file);
    if (!stats.isDirectory()) return stats.size;
    return readdirSync(file).reduce((sum, name) => sum + bytesBelow(path.join(file, name)), 0);
  } catch {
    // Not there yet, or moved on while we looked.
    return 0;
  }
}

/**
 * The desktop app, until its last window closes.
 * @param {string} program
 * @param {readonly string[]} flags
 * @param {() => void} askToStop begins to stop it over its data directory's socket
 */
export function runElectron(program, flags, askToStop) {
  const env = { ...process.env };
  // Terminals inside Electron apps (VS Code's) set it; with it Electron would be a plain Node and open nothing.
  delete env.ELECTRON_RUN_AS_NODE;
  // On Windows a program with windows hears nothing of its terminal, and a signal is a kill.
  const forward = process.platform === 'win32' ? askToStop : true;
  return run(program, [ROOT, ...flags], { cwd: process.cwd(), env, forward, input: true });
}

/** What a shell or the loader answers when the program, or a library that it needs, is not there. */
const CANNOT_RUN = 127;
/** 128 and the signals that Chromium ends itself with: SIGILL, SIGTRAP, SIGABRT, SIGSEGV. */
const CRASHES = new Set([132, 133, 134, 139]);

/**
 * Why the desktop app did not come to open; null where it did, or said itself why not.
 * @param {number} code its exit code
 * @param {boolean} wasReady whether its service was
 * @returns {string | null}
 */
export function whyNotOpened(code, wasReady) {
  if (code === CANNOT_RUN) return 'Electron lacks a library of this system (named above)';
  if (CRASHES.has(code) && !wasReady) return 'Electron ended before its window opened (its reason is above)';
  return null;
}
