import path from 'node:path';
import { isExecutable, which } from './run.mjs';

// Debian's shell comes first: without windows, a page takes it half the time.
const COMMANDS = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
];

const MAC_APPS = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The Chromium or Chrome that the tests drive: FIELDBENCH_CHROMIUM, else the one that is installed.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | null}
 */
export function findChromium(env = process.env) {
  if (env.FIELDBENCH_CHROMIUM !== undefined) return env.FIELDBENCH_CHROMIUM;
  for (const name of COMMANDS) {
    const file = which(name, env);
    if (file !== null) return file;
  }
  return [...MAC_APPS, ...windowsFiles(env)].find(isExecutable) ?? null;
}

/** @param {NodeJS.ProcessEnv} env */
const windowsFiles = (env) =>
  [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .map((folder) => path.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe'));
