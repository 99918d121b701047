import { fileName } from '#shared/values/file-name.ts';
import { dataOf } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { saveFile } from '../../../components/work/save-file.ts';
import { countOf, formatBytes } from '../../../format.ts';
import { startWork } from '../../../stores/jobs.ts';

/** Backs everything up, as a row of the jobs tray. */
export function startBackup(): void {
  const name = fileName(`fieldbench_${new Date().toISOString().slice(0, 10)}`, 'tar');
  startWork({
    verb: 'Back up',
    about: name,
    unit: 'bytes',
    job: { kind: 'backup', project_id: '', device_id: null },
    async run(_progress, signal) {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      const take = (piece: Uint8Array) => void pieces.push(new Uint8Array(piece));
      const made = dataOf(await bridge.download('backup.get', {}, take, { signal }));
      const saved = await saveFile(name, new Blob(pieces));
      return saved === null ? null : { ...made, saved };
    },
    outcome(made) {
      if (made === null) return null;
      const held = `${countOf(made.devices, 'device')}, ${countOf(made.records, 'record')}`;
      sayDone('Backed up', `${held} in ${made.saved}.`);
      return { text: `${held} · ${formatBytes(made.bytes)}` };
    },
  });
}
