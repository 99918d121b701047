import { FORMAT_NAMES } from '#shared/domain/file-formats.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { sayDone } from '../components/work/notices.ts';
import { countOf, formatBytes } from '../format.ts';
import { startWork } from '../stores/jobs.ts';
import type { ExportInput } from './export-choices.ts';
import { saveExport } from './save-export.ts';
import type { Estimate } from './use-estimate.ts';

interface ExportStart {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  /** Absent: the device's name. */
  readonly about?: string;
  readonly input: ExportInput;
  /** Null where it was not known yet. */
  readonly estimate: Estimate | null;
}

/** Exports as a row of the jobs tray. */
export function startExport({ project_id, device, about = device.name, input, estimate }: ExportStart): void {
  startWork({
    verb: 'Export',
    about: `${about}, ${FORMAT_NAMES[input.format ?? 'csv'].label}`,
    unit: 'bytes',
    ...(estimate && { total: estimate.bytes }),
    job: { kind: 'export', project_id, device_id: device.id },
    run: (progress, signal) => saveExport(input, { estimate, progress }, signal),
    outcome(saved) {
      if (saved === null) return null;
      const records = countOf(saved.data.records, 'record');
      sayDone('Exported', `${records} in ${saved.name}.`);
      return { text: `${records} · ${formatBytes(saved.bytes)}` };
    },
  });
}
