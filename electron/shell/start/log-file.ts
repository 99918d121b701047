import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '#core/disk/errors.ts';

/** Bytes of the log; what is older is in a second file of the same size, and what is older than that is gone. */
const MOST_BYTES = 1024 * 1024;

/**
 * Opens the log of an installed app, whose stderr is not seen. Lines are written at once and in order, so that the last one
 * before a crash is there; there are few. `say` gets every line too, and hears why the file cannot be written: once, until
 * it can again.
 */
export function openLogFile(
  file: string,
  say: (line: string) => void,
  mostBytes = MOST_BYTES,
): (line: string) => void {
  /** Of the file; null where it has to be looked at. */
  let bytes: number | null = null;
  let isTold = false;

  function append(line: string): void {
    const length = Buffer.byteLength(line);
    bytes ??= sizeOf(file);
    if (bytes > 0 && bytes + length > mostBytes && turnOver(bytes + length)) bytes = 0;
    appendFileSync(file, line, { mode: 0o600 });
    bytes += length;
  }

  /**
   * Rotates the log. On Windows an open reader keeps the file from being renamed: it grows to twice its size, and no
   * further.
   */
  function turnOver(grown: number): boolean {
    try {
      renameSync(file, olderLog(file));
      return true;
    } catch (error) {
      if (grown > 2 * mostBytes) throw error;
      return false;
    }
  }

  return (line) => {
    say(line);
    try {
      append(line);
      isTold = false;
    } catch (error) {
      bytes = null;
      if (!isTold)
        say(`The log ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
      isTold = true;
    }
  };
}

/** Where a log's older half is. */
export const olderLog = (file: string) => file.replace(/(\.log)?$/, '.old.log');

/** Makes its folder where there is none. */
function sizeOf(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  try {
    return statSync(file).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
