import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Beside the program, it has the app keep its data there. Its text is for whoever finds it (packaging/windows/). */
export const PORTABLE_FILE = 'fieldbench-portable.txt';

/**
 * Returns the folder of a program that keeps its data beside itself, as on a stick; null for any other. A Mac's app has no
 * such place: what was downloaded runs from a folder of the system's own choice (Apple, "Gatekeeper path randomization").
 */
export function portableFolder(program: string = process.execPath): string | null {
  const folder = dirname(program);
  return process.platform !== 'darwin' && existsSync(join(folder, PORTABLE_FILE)) ? folder : null;
}
