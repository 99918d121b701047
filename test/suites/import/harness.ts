import type { ImportSettings } from '#shared/operations/records/records.ts';
import type { Threads } from '#core/threads/threads.ts';
import { formatMicros } from '#shared/values/time.ts';
import { importing, plain } from '../../helpers/files/imports.ts';

/** The lines of a file. */
export const file = (...lines: string[]) => lines.join('\n');

/** Imports by one reader, and what the tests ask of them. */
export type Imports = ReturnType<typeof importsBy>;

/** Files are read in a thread; null: in this one. */
export function importsBy(threads: Threads | null) {
  const { importFile, importChunks } = importing(threads);
  return {
    importFile,
    importChunks,

    values: async (text: string, settings: ImportSettings = {}) => {
      const { records } = await importFile(text, { settings });
      return records.map(plain);
    },

    times: async (text: string, settings: ImportSettings = {}) => {
      const { records } = await importFile(text, { settings });
      return records.map(({ timestamp }) => formatMicros(timestamp));
    },

    /** An import that came through in spite of bad rows. */
    kept: (text: string, settings: ImportSettings = {}) =>
      importFile(text, { settings: { ...settings, on_error: 'keep' } }),
  };
}
