import { chromiumPath } from '../chromium.ts';
import { startDesktop } from './desktop.ts';
import { MAIN, type StartApp } from './host.ts';

export const RUN = 'test/electron-stand-in/run.ts';

/** A packed app's program that runs its archive on the stand-in (test/packaging/runtime.ts); without it, what was built runs. */
const packed = process.env['FIELDBENCH_PACKED'];

/** The built, unmodified main and preload, on a stand-in for the electron module. */
export const startStandIn: StartApp = (options) => {
  process.env['FIELDBENCH_CHROMIUM'] = chromiumPath();
  return startDesktop(packed === undefined ? [process.execPath, RUN, MAIN] : [packed], options);
};
