import { existsSync, readdirSync } from 'node:fs';
import { appEnv, appFlags, MAIN, type AppFiles } from '../hosts/host.ts';
import { RUN } from '../hosts/stand-in.ts';
import { startProgram } from '../program.ts';

/** What stories on the stand-in begin with, where an app is started, or ended, by the story itself. */

/** Starts the app; `more` runs in its process first. */
export function start(files: AppFiles, { env = {}, more = '', flags = [] as readonly string[] } = {}) {
  const hook = more === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(more)}`];
  return startProgram([process.execPath, ...hook, RUN, MAIN, ...appFlags(files), ...flags], {
    ...appEnv(files),
    ...env,
  });
}

/** Acts in the app's process at SIGUSR2. */
export const WHEN_ASKED = (act: string) => `process.on('SIGUSR2', () => { ${act} });`;

/** Acts with Electron's own module, as the system does. */
export const WITH_ELECTRON = (act: string) =>
  WHEN_ASKED(`void import('electron').then((electron) => { ${act} });`);

/** What a service that did not end in order leaves behind. */
export const left = ({ dataDirectory, readyFile }: AppFiles) => [
  ...readdirSync(dataDirectory).filter((name) => /^(lock\.|control\.sock)/.test(name)),
  ...(existsSync(readyFile) ? [readyFile] : []),
];
