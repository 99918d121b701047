import { Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { sayFailed } from '../../components/work/notices.ts';
import { later } from '../../later.tsx';
import { onFailure, type TrayJob } from '../../stores/jobs.ts';
import { useServiceJobs } from '../../stores/service-jobs.ts';
import { openTray, useTray, useTrayFocus } from './tray.ts';
import { useKeptJobs } from './use-kept-jobs.ts';

const JobsTray = later(async () => (await import('./jobs-tray.tsx')).JobsTray);

/** The jobs tray, and notices of failures that no screen shows. */
export function Jobs() {
  useServiceJobs();
  useKeptJobs();
  const opened = useTray(({ open }) => open);
  useTrayFocus();
  // Once it was open it stays, so that it closes as it opened.
  const [needed, setNeeded] = useState(false);
  if (opened && !needed) setNeeded(true);
  useEffect(() => onFailure(tell), []);
  return needed && <JobsTray opened={opened} />;
}

function tell({ verb, about, problem }: TrayJob): void {
  const id = sayFailed(
    `${verb} failed`,
    <Stack gap={6} align="flex-start">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {about}: {problem}
      </Text>
      <Button
        size="compact-xs"
        variant="default"
        onClick={() => {
          notifications.hide(id);
          openTray();
        }}
      >
        Details
      </Button>
    </Stack>,
  );
}
