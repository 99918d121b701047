import { FORMAT_NAMES } from '#shared/domain/file-formats.ts';
import { fileName } from '#shared/values/file-name.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { ask, dataOf } from '../bridge/ask.ts';
import { bridge } from '../bridge/bridge.ts';
import { sayDone } from '../components/work/notices.ts';
import { countOf, formatBytes } from '../format.ts';
import { startWork } from '../stores/jobs.ts';
import type { ExportInput } from './export-choices.ts';
import { saveFile } from '../components/work/save-file.ts';
import type { Estimate } from './use-estimate.ts';

interface ExportStart {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  readonly input: ExportInput;
  /** Null where it was not known yet. */
  readonly estimate: Estimate | null;
}

/**
 * Exports as a row of the jobs tray. What came before it was cut off is kept: tried again, it goes on from there, unless
 * the records are others by then.
 */
export function startExport({ project_id, device, input, estimate }: ExportStart): void {
  const format = input.format ?? 'csv';
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let state: string | null = null;
  startWork({
    verb: 'Export',
    about: `${device.name}, ${FORMAT_NAMES[format].label}`,
    unit: 'bytes',
    ...(estimate && { total: estimate.bytes }),
    job: { kind: 'export', project_id, device_id: device.id },
    async run(progress, signal) {
      state ??= (estimate ?? (await ask('records.estimate', input))).state;
      const rest: Uint8Array<ArrayBuffer>[] = [];
      const before = bytes;
      let came = 0;
      try {
        const envelope = await bridge.download(
          'records.export',
          { ...input, from: before, state },
          (piece) => {
            rest.push(new Uint8Array(piece));
            came += piece.length;
            progress(before + came);
          },
          { signal },
        );
        const { records, name, from } = dataOf(envelope);
        // Where the records were others, the file came anew.
        const whole = from === 0 ? rest : [...pieces, ...rest];
        const size = whole.reduce((sum, piece) => sum + piece.length, 0);
        const saved = await saveFile(fileName(name, format), new Blob(whole));
        return saved === null ? null : { records, saved, size };
      } catch (error) {
        // Whether what came is a rest or a new file is said at the end alone; only of a first try it is certain.
        if (before === 0) {
          pieces = rest;
          bytes = came;
        }
        throw error;
      }
    },
    outcome(result) {
      if (result === null) return null;
      const text = `${countOf(result.records, 'record')} · ${formatBytes(result.size)}`;
      sayDone('Exported', `${countOf(result.records, 'record')} in ${result.saved}.`);
      return { text };
    },
  });
}
