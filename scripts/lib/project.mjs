import { fileURLToPath } from 'node:url';
import { constants } from 'node:os';
import path from 'node:path';

/** The project's folder, absolute. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** What the commands remember between runs; ignored by git, safe to delete at any time. */
export const CACHE = path.join(ROOT, '.cache');

/** The service without a window, built. */
export const CLI = path.join(ROOT, 'out', 'main', 'cli.js');

/** @param {string} name a path inside the project, with "/" */
export const inProject = (name) => path.join(ROOT, ...name.split('/'));

/** A failure whose message is all that its reader needs; anything else that is thrown is a bug and keeps its stack. */
export class CommandError extends Error {}

/** Somebody asked this process to stop while a command of a group of its own ran; that one has ended. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`stopped by ${signal}`);
    this.code = 128 + constants.signals[signal];
  }
}

/**
 * Runs a command's main function; a CommandError becomes one line and exit code 1, as does a folder that cannot be written
 * to, an interruption its own exit code.
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    const line =
      error instanceof CommandError || error instanceof Interrupted ? error.message : unwritable(error);
    if (line === null) throw error;
    console.error(`fieldbench: ${line}`);
    process.exitCode = error instanceof Interrupted ? error.code : 1;
  }
}

/** What the system says of a path that may not be written to, and of a disk that is full. */
const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'];

/**
 * @param {unknown} error
 * @returns {string | null} what to do about a path that cannot be written to; null where the error is another one
 */
export function unwritable(error) {
  if (!(error instanceof Error && 'code' in error && UNWRITABLE.includes(String(error.code)))) return null;
  const isFull = error.code === 'ENOSPC' || error.code === 'EDQUOT';
  const remedy = isFull
    ? 'free some space'
    : 'give this user the right to write there, or clone the project to a folder of its own';
  return `${error.message}: ${remedy}, and try again.`;
}
