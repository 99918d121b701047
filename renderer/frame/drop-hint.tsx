import { Center, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { notifications } from '@mantine/notifications';
import { IconFileImport } from '@tabler/icons-react';
import { countOf } from '../format.ts';
import { useDialog } from '../stores/dialog.ts';

/** Says where files belong that are dropped on a screen without a device; the browser would open them instead of the app. */
export function DropHint() {
  const idle = useDialog(({ open }) => open === null);
  return (
    <Dropzone.FullScreen
      // Electron's own pickers of that API hang in some folders; the input's picker does the same job.
      useFsAccessApi={false}
      active={idle}
      activateOnKeyboard={false}
      inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      onDrop={(files) =>
        notifications.show({
          title: 'Nothing was imported',
          message: `Open the device that ${files[0]?.name ?? 'the file'}${files.length > 1 ? ` and ${countOf(files.length - 1, 'more file')}` : ''} belongs to, and drop it there.`,
          color: 'yellow',
        })
      }
    >
      <Center h="80vh" style={{ pointerEvents: 'none' }}>
        <Stack align="center" gap="xs">
          <IconFileImport size={48} stroke={1.4} />
          <Text size="lg" fw={600}>
            Open a device first
          </Text>
          <Text c="dimmed">A recording belongs to a device: open it, and drop the file there.</Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  );
}
