import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '#core/disk/errors.ts';

/** Bytes of the log; what is older is in a second file of the same size, and what is older than that is gone. */
const MOST_BYTES = 1024 * 1024;

/**
 * The log of an installed app, whose stderr nobody sees. Lines are written at once and in order, so that the last one
 * before a crash is there; there are few. `say` gets every line too, and hears once why the file cannot be written.
 */
export function openLogFile(
  file: string,
  say: (line: string) => void,
  mostBytes = MOST_BYTES,
): (line: string) => void {
  let bytes = 0;
  let isBroken = false;

  const attempt = (act: () => void) => {
    if (isBroken) return;
    try {
      act();
    } catch (error) {
      isBroken = true;
      say(`The log ${file} cannot be written: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  };

  attempt(() => {
    mkdirSync(dirname(file), { recursive: true });
    bytes = sizeOf(file);
  });
  return (line) => {
    say(line);
    attempt(() => {
      const length = Buffer.byteLength(line);
      if (bytes > 0 && bytes + length > mostBytes) {
        renameSync(file, olderLog(file));
        bytes = 0;
      }
      appendFileSync(file, line, { mode: 0o600 });
      bytes += length;
    });
  };
}

/** Where a log's older half is. */
export const olderLog = (file: string) => file.replace(/(\.log)?$/, '.old.log');

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
