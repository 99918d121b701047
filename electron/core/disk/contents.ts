import { temporaryName } from './atomic-file.ts';

/** What the service writes into a folder, by name: whoever clears the folder removes that, and nothing else. */
export interface Contents {
  /** Whether it writes files of this name. */
  readonly isFile: (name: string) => boolean;
  /** What it writes into a folder of this name; null where it makes none. */
  readonly folder: (name: string) => Contents | null;
}

/** A folder of files alone. */
export const filesOnly = (isFile: Contents['isFile']): Contents => ({ isFile, folder: () => null });

/** Whether a name is one of these files, or that under which one is written before it takes its place. */
export function writtenAs(...files: readonly string[]): Contents['isFile'] {
  const names = new Set(files.flatMap((file) => [file, temporaryName(file)]));
  return (name) => names.has(name);
}
