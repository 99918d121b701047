import { readFileSync } from 'node:fs';
import { inProject } from '../scripts/lib/project.mjs';

/**
 * What package.json says of the app.
 * @type {{ name: string, version: string, description: string, license: string, homepage: string, main: string,
 *   desktopName: string, author: { name: string, email: string } }}
 */
export const APP = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));

/** What people read. */
export const PRODUCT = 'Fieldbench';

/** The program's name on Linux and Windows, and of its .desktop file: Electron takes the window's class from `desktopName`. */
export const PROGRAM = 'fieldbench';

/** The app's id on each system. Windows groups windows by it: electron/shell/start/identity.ts has the same. */
export const IDS = {
  mac: 'org.fieldbench.Fieldbench',
  windows: 'Fieldbench.Fieldbench',
  appStream: 'org.fieldbench.Fieldbench',
};

/** Where a .deb and an .rpm put the app. */
export const INSTALLED = '/opt/fieldbench';
