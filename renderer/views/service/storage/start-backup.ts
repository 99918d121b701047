import { fileName } from '#shared/values/file-name.ts';
import { sayDone } from '../../../components/work/notices.ts';
import { saveDownload, type SavedDownload } from '../../../components/work/save-download.ts';
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
    run: (
      _progress,
      signal,
    ): Promise<SavedDownload<'backup.get'> | SavedDownload<'backup.with-secrets'> | null> =>
      passphrase === undefined
        ? saveDownload({ id: 'backup.get', input: {}, name }, signal)
        : saveDownload({ id: 'backup.with-secrets', input: { passphrase }, name }, signal),
    outcome(made) {
      if (made === null) return null;
      const { projects, devices } = made.data;
      const held = `${countOf(projects, 'project')}, ${countOf(devices, 'device')}`;
      sayDone('Backed up', `${held} in ${made.name}.`);
      return { text: `${held} · ${formatBytes(made.bytes)}` };
    },
  });
}
