import { chromiumPath } from '../chromium.ts';
import { startDesktop } from './desktop.ts';
import { MAIN, type StartApp } from './host.ts';

export const RUN = 'test/electron-stand-in/run.ts';

/** The built, unmodified main and preload, on a stand-in for the electron module. */
export const startStandIn: StartApp = (options) => {
  process.env['FIELDBENCH_CHROMIUM'] = chromiumPath();
  return startDesktop([process.execPath, RUN, MAIN], options);
};
