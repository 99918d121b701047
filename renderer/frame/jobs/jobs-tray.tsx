import { Button, Drawer, Group, Stack, Text } from '@mantine/core';
import { clearFinished, useJobs } from '../../stores/jobs.ts';
import { JobRow } from './job-row.tsx';
import { closeTray } from './tray.ts';

/** Tray of long work since the window was opened: running jobs first, then ended ones, the last one first. */
export function JobsTray({ opened }: { readonly opened: boolean }) {
  const rows = useJobs((state) => state.rows);
  const running = rows.filter(({ state }) => state === 'running');
  const ended = rows.filter(({ state }) => state !== 'running').toReversed();
  return (
    <Drawer
      opened={opened}
      onClose={closeTray}
      position="right"
      size={440}
      title="Jobs"
      // It was in the document only when it was open already: Mantine would not know what had the focus.
      returnFocus={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed">
          Imports, exports, deletes and whatever else takes a while are listed here, with how far they are.
        </Text>
      ) : (
        <Stack gap={0} component="ul" p={0} m={0} aria-label="Jobs">
          {[...running, ...ended].map((row) => (
            <JobRow key={row.id} row={row} />
          ))}
        </Stack>
      )}
      {ended.length > 0 && (
        <Group justify="flex-end" mt="sm">
          <Button size="compact-sm" variant="subtle" onClick={clearFinished}>
            Clear finished
          </Button>
        </Group>
      )}
    </Drawer>
  );
}
