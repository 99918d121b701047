import { fileName } from '#shared/values/file-name.ts';
import { ask } from '../bridge/ask.ts';
import { saveDownload, type SavedDownload } from '../components/work/save-download.ts';
import type { ExportInput } from './export-choices.ts';
import type { Estimate } from './use-estimate.ts';

/** Export of a device on its way to a file. */
interface ExportToSave {
  /** Null where it is not known yet. */
  readonly estimate: Estimate | null;
  readonly progress?: (bytes: number) => void;
}

/**
 * Saves an export as a file, as `saveDownload` does. Where a connection is lost and comes back it goes on from there, unless the
 * records are others by then.
 */
export async function saveExport(
  input: ExportInput,
  { estimate, progress }: ExportToSave,
  signal: AbortSignal,
): Promise<SavedDownload<'records.export'> | null> {
  const { state, name } = estimate ?? (await ask('records.estimate', input, { signal }));
  const from = (bytes: number) => ({ ...input, from: bytes, state });
  const download = {
    id: 'records.export',
    input: from(0),
    name: fileName(name, input.format ?? 'csv'),
    rest: { input: from, isRest: (data: { readonly from: number }) => data.from > 0 },
    ...(progress && { progress }),
  } as const;
  return saveDownload(download, signal);
}
