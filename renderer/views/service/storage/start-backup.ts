import { fileName } from '#shared/values/file-name.ts';
import { dataOf } from '../../../bridge/ask.ts';
import { bridge } from '../../../bridge/bridge.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { saveFile } from '../../../components/work/save-file.ts';
import { countOf, formatBytes } from '../../../format.ts';
import { startWork } from '../../../stores/jobs.ts';

/** Backs everything up, as a row of the jobs tray; with a passphrase its secrets, too. */
export function startBackup(passphrase?: string): void {
  const name = fileName(`fieldbench_${new Date().toISOString().slice(0, 10)}`, 'tar');
  startWork({
    verb: 'Back up',
    about: name,
    unit: 'bytes',
    job: { kind: 'backup', project_id: '', device_id: null },
    async run(_progress, signal) {
      const pieces: Uint8Array<ArrayBuffer>[] = [];
      const take = (piece: Uint8Array) => void pieces.push(new Uint8Array(piece));
      const made = dataOf(
        passphrase === undefined
          ? await bridge.download('backup.get', {}, take, { signal })
          : await bridge.download('backup.with-secrets', { passphrase }, take, { signal }),
      );
      const file = new Blob(pieces);
      const saved = await saveFile(name, file);
      return saved === null ? null : { ...made, bytes: file.size, saved };
    },
    outcome(made) {
      if (made === null) return null;
      const held = `${countOf(made.projects, 'project')}, ${countOf(made.devices, 'device')}`;
      sayDone('Backed up', `${held} in ${made.saved}.`);
      return { text: `${held} · ${formatBytes(made.bytes)}` };
    },
  });
}
