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
 * Runs a command's main function; a CommandError becomes one line and exit code 1, an interruption its own exit code.
 * @param {() => Promise<number>} main resolves to the exit code
 */
export async function runMain(main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof Interrupted)) throw error;
    console.error(`fieldbench: ${error.message}`);
    process.exitCode = error instanceof Interrupted ? error.code : 1;
  }
}
