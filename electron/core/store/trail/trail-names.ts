import { join } from 'node:path';
import type { Contents } from '../../disk/contents.ts';
import { errorCode } from '../../disk/errors.ts';
import type { Files } from '../../disk/files.ts';
import { FORMER_CONTENTS, FORMER_FOLDER } from './former-trails.ts';

/** The folder of the audit trail in a data directory. */
export const TRAIL_FOLDER = 'audit';
/** A file is named by the number of its first line; a second one of that number where the first could not be gone on with. */
const FILE = /^(\d{10})(?:-(\d+))?\.ndjson$/;
export const TRAIL_CONTENTS: Contents = {
  isFile: (name) => FILE.test(name),
  folder: (name) => (name === FORMER_FOLDER ? FORMER_CONTENTS : null),
};

/** `again`: 1 for the first one of its number. */
export function trailFileName(first: number, again: number): string {
  const number = String(first).padStart(10, '0');
  return again === 1 ? `${number}.ndjson` : `${number}-${again}.ndjson`;
}

/** The number of the first line of a file, by its name. */
export const firstIn = (name: string): number => Number(FILE.exec(name)?.[1]);

/** A file of the trail, and how many bytes of it are whole lines that are there for good. */
export interface TrailFile {
  readonly name: string;
  bytes: number;
}

/** The files of a trail in their order, with all their bytes; none where there is no folder. Rejects with Node's errors. */
export async function trailFilesIn(folder: string, files: Files): Promise<TrailFile[]> {
  const entries = await files.list(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const names = entries.flatMap(({ name, isDirectory }) => (!isDirectory && FILE.test(name) ? [name] : []));
  return names.toSorted(byPlace).map((name) => ({ name, bytes: sizeOf(files, join(folder, name)) }));
}

function byPlace(a: string, b: string): number {
  const [[, first = '', again = '1'], [, otherFirst = '', otherAgain = '1']] = [
    FILE.exec(a) ?? [],
    FILE.exec(b) ?? [],
  ];
  return Number(first) - Number(otherFirst) || Number(again) - Number(otherAgain);
}

function sizeOf(files: Files, path: string): number {
  const file = files.openForReading(path);
  try {
    return file.size;
  } finally {
    file.close();
  }
}
