import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { parseJson } from '#shared/values/json.ts';
import { nodeFiles } from '../../disk/files.ts';
import { errorCode } from '../../disk/errors.ts';
import { readWholeNow } from '../../disk/whole-file.ts';
import type { Viewer } from './frame.ts';

const FILE = 'handover-viewer.json.br';
/** Beside the script that runs where it was built; or in the build of this source tree. */
const FOLDERS = ['.', '../../../../out/main'];

let read: Viewer | null = null;

/** Whether there is one: a source tree that was not built has none. */
export const hasViewer = (): boolean => (read ??= findViewer()) !== null;

/** Returns the viewer of pages, as scripts/lib/handover-viewer.mjs builds it. Throws an Error where there is none. */
export function readViewer(): Viewer {
  read ??= findViewer();
  if (read === null) throw new Error(`${FILE} is missing: build Fieldbench, or install it again.`);
  return read;
}

const findViewer = (): Viewer | null => FOLDERS.map(viewerIn).find((viewer) => viewer !== null) ?? null;

function viewerIn(folder: string): Viewer | null {
  try {
    const bytes = readWholeNow(nodeFiles, join(import.meta.dirname, folder, FILE));
    return parseJson(brotliDecompressSync(bytes).toString()) as Viewer;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
