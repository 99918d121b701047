import { findElectron } from '../../../scripts/lib/electron.mjs';
import { sandboxFlags } from '../chromium.ts';
import { DEBUGGED, startDesktop, whyNoDisplay } from './desktop.ts';
import { MAIN, type StartApp } from './host.ts';

/** Why the desktop app cannot run here; null where it can. */
export const whyNoElectron = (): string | null =>
  findElectron() === null ? 'no Electron runtime (`npx install-electron` brings it)' : whyNoDisplay();

/** The desktop app itself, as it is in development. */
export const startElectron: StartApp = (options) => {
  const program = findElectron();
  if (program === null) throw new Error(`Electron cannot run: ${whyNoElectron()}.`);
  return startDesktop([program, ...sandboxFlags, DEBUGGED, MAIN], options);
};
