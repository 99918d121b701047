import { Center, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileImport } from '@tabler/icons-react';
import type { Ref } from 'react';
import { useDialog } from '../../../stores/dialog.ts';

interface FileDropProps {
  /** Gets what opens the system's file picker. */
  readonly openRef: Ref<() => void>;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files dropped anywhere on the window, or picked; not while a dialog, perhaps an import, is open. */
export function FileDrop({ openRef, onFiles }: FileDropProps) {
  const idle = useDialog(({ open }) => open === null);
  return (
    <Dropzone.FullScreen
      // Electron's own pickers of that API hang in some folders; the input's picker does the same job.
      useFsAccessApi={false}
      openRef={openRef}
      active={idle}
      // "Import file…" is the way by keyboard; this would be a stop that cannot be seen.
      activateOnKeyboard={false}
      onDrop={onFiles}
      inputProps={{ 'aria-label': 'File to import' }}
    >
      <Center h="80vh" style={{ pointerEvents: 'none' }}>
        <Stack align="center" gap="xs">
          <IconFileImport size={48} stroke={1.4} />
          <Text size="lg" fw={600}>
            Drop recordings here
          </Text>
          <Text c="dimmed">CSV or NDJSON. You will see how each is read before anything is stored.</Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  );
}
