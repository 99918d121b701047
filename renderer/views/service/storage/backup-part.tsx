import { Button, Group, Text } from '@mantine/core';
import { May } from '../../../components/work/may.tsx';
import { usePickFiles } from '../../../components/screen/use-pick-files.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { Part } from '../parts.tsx';
import { startBackup } from './start-backup.ts';

/** Everything as one file, and back (docs/backup.md). */
export function BackupPart() {
  const pick = usePickFiles(([file]) => {
    if (file) openDialog({ kind: 'restore-backup', file });
  });
  return (
    <Part title="Backup">
      <Group gap="md" align="center">
        <May to="backup.get">
          <Button variant="default" onClick={() => startBackup()}>
            Back up
          </Button>
        </May>
        <May to="backup.with-secrets">
          <Button variant="default" onClick={() => openDialog({ kind: 'back-up-secrets' })}>
            Back up with secrets…
          </Button>
        </May>
        <May to="backup.restore">
          <Button variant="default" onClick={pick}>
            Restore…
          </Button>
        </May>
        <Text size="sm" flex={1} miw={220}>
          All projects, devices and records as one file, taken while devices go on sending. Tokens and API
          keys go on working after a restore; they are shown again only of a backup with secrets.
        </Text>
      </Group>
    </Part>
  );
}
