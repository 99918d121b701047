import { Button, Loader } from '@mantine/core';
import { IconChecklist } from '@tabler/icons-react';
import { useJobs } from '../../stores/jobs.ts';
import { openTray, useTray } from './tray.ts';

/** Button of the tray with the number of running jobs; absent while it is empty. */
export function JobsButton() {
  const running = useJobs(({ rows }) => rows.filter(({ state }) => state === 'running').length);
  const failed = useJobs(({ rows }) => rows.filter(({ state }) => state === 'failed').length);
  const isEmpty = useJobs(({ rows }) => rows.length === 0);
  const opened = useTray(({ open }) => open);
  if (isEmpty) return null;
  const words = running > 0 ? `${running} running` : failed > 0 ? `${failed} failed` : 'all done';
  return (
    <Button
      variant="default"
      size="xs"
      aria-label={`Jobs: ${words}`}
      aria-expanded={opened}
      leftSection={running > 0 ? <Loader size={12} /> : <IconChecklist size={14} aria-hidden />}
      onClick={openTray}
    >
      {running > 0 || failed > 0 ? words : 'Jobs'}
    </Button>
  );
}
