import { isExecutable } from '../../../scripts/lib/run.mjs';
import { sandboxFlags } from '../chromium.ts';
import { DEBUGGED, startDesktop, whyNoDisplay } from './desktop.ts';
import type { StartApp } from './host.ts';

/** The installed program that is tested, as `/opt/fieldbench/fieldbench`; empty where none is. */
export const INSTALLED = process.env['FIELDBENCH_INSTALLED'] ?? '';

/** Why no installed app is tested; null where one is. Throws where what is named is no program: its tests must not be left out. */
export function whyNoInstalled(program = INSTALLED): string | null {
  if (program === '') return 'FIELDBENCH_INSTALLED names no program';
  if (!isExecutable(program)) throw new Error(`FIELDBENCH_INSTALLED names ${program}, which is no program.`);
  return whyNoDisplay();
}

/** The installed program, as it ships: archive, fuses and all. */
export const startInstalled =
  (program: string): StartApp =>
  (options) =>
    startDesktop([program, ...sandboxFlags, DEBUGGED], options);
