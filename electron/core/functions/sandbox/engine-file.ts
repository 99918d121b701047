import { join } from 'node:path';
import { errorCode } from '../../disk/errors.ts';
import { nodeFiles } from '../../disk/files.ts';
import { readWholeNow } from '../../disk/whole-file.ts';

/** Beside the script that runs where it was built; or the package's own in this source tree. */
const FILES = [
  'quickjs.wasm.br',
  '../../../../node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm',
];

let read: Uint8Array | null = null;

/** Returns the code of the engine, packed by Brotli or as it is. Throws an Error where there is none. */
export function readEngine(): Uint8Array {
  read ??= FILES.map(readThere).find((bytes) => bytes !== null) ?? null;
  if (read === null) throw new Error(`${FILES[0]} is missing: build Fieldbench, or install it again.`);
  return read;
}

function readThere(name: string): Uint8Array | null {
  try {
    return readWholeNow(nodeFiles, join(import.meta.dirname, name));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
