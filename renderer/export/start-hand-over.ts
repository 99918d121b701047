import type { InputOf } from '#shared/operations/index.ts';
import { MOST_HANDED_OVER } from '#shared/operations/service/handover.ts';
import type { Device } from '#shared/schema/schemas.ts';
import { fileName } from '#shared/values/file-name.ts';
import { sayDone } from '../components/work/notices.ts';
import { saveDownload } from '../components/work/save-download.ts';
import { countOf, formatBytes } from '../format.ts';
import { startWork } from '../stores/jobs.ts';

export type HandedOver = Pick<Device, 'id' | 'name'>;

/** Whether so many devices go into one package. */
export const mayHandOver = (devices: number): boolean => devices <= MOST_HANDED_OVER;

interface HandOverStart {
  readonly project_id: string;
  readonly devices: readonly HandedOver[];
  readonly input: Omit<InputOf<'handover.get'>, 'devices'>;
}

/** Hands devices over, as a row of the jobs tray. */
export function startHandOver({ project_id, devices, input }: HandOverStart): void {
  const [only] = devices.length === 1 ? devices : [];
  const about = only?.name ?? countOf(devices.length, 'device');
  const ids = devices.map(({ id }) => id);
  startWork({
    verb: 'Hand over',
    about,
    unit: 'records',
    job: only
      ? { kind: 'handover', project_id, device_id: only.id }
      : { kind: 'handover', project_id: '', device_id: null },
    run: (_progress, signal) =>
      saveDownload(
        {
          id: 'handover.get',
          input: { devices: ids, ...input },
          name: fileName(`handover_${about.replaceAll(' ', '_')}`, 'zip'),
        },
        signal,
      ),
    outcome(made) {
      if (made === null) return null;
      const held = `${countOf(made.data.devices, 'device')}, ${countOf(made.data.records, 'record')}`;
      sayDone('Handed over', `${held} in ${made.name}.`);
      return { text: `${held} · ${formatBytes(made.bytes)}` };
    },
  });
}
