import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What the disk itself takes: a preallocated file that is overwritten and synced. */
export function openRawDisk(directory: string, bytes: number): { write(): void; close(): void } {
  const file = openSync(join(directory, 'raw'), 'w');
  const data = Buffer.alloc(bytes, 1);
  for (let n = 0; n < 64; n++) writeSync(file, data, 0, bytes, n * bytes);
  fdatasyncSync(file);
  let n = 0;
  return {
    write() {
      writeSync(file, data, 0, bytes, (n++ % 64) * bytes);
      fdatasyncSync(file);
    },
    close: () => closeSync(file),
  };
}
