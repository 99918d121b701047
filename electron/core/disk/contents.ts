import { temporaryName } from './atomic-file.ts';

/** Files of the service in a folder, by name: clearing the folder removes these alone. */
export interface Contents {
  /** Whether it writes files of this name. */
  readonly isFile: (name: string) => boolean;
  /** Returns the contents of a folder of this name; null where it makes none. */
  readonly folder: (name: string) => Contents | null;
}

/** A folder of files alone. */
export const filesOnly = (isFile: Contents['isFile']): Contents => ({ isFile, folder: () => null });

/** Whether a name is one of these files, or that under which one is written before it takes its place. */
export function writtenAs(...files: readonly string[]): Contents['isFile'] {
  const names = new Set(files.flatMap((file) => [file, temporaryName(file)]));
  return (name) => names.has(name);
}
