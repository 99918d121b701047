import { Center, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileImport } from '@tabler/icons-react';
import { useDialog } from '../../stores/dialog.ts';
import { usePicked } from '../../stores/picked-files.ts';

interface FileDropProps {
  /** Words for dropping, where it is not plain: "Drop to import into PT-107". */
  readonly words?: string;
  /** What becomes of them. */
  readonly note?: string;
  /** Name of what is taken. */
  readonly label?: string;
  readonly onFiles: (files: readonly File[]) => void;
}

/** Takes files dropped anywhere on the window; not while a dialog, perhaps an import, is open. */
export function FileDrop({
  words = 'Drop recordings here',
  note = 'CSV or NDJSON. You will see how each is read before anything is stored.',
  label = 'File to import',
  onFiles,
}: FileDropProps) {
  const idle = useDialog(({ open }) => open === null);
  const beside = usePicked(({ dropsBeside }) => dropsBeside);
  return (
    <Dropzone.FullScreen
      key={beside}
      // The tree beside the screen takes files, too.
      styles={{ fullScreen: { left: 'var(--app-beside, 0px)' } }}
      active={idle}
      // "Import…" is the way by keyboard; this would be a stop that cannot be seen.
      activateOnKeyboard={false}
      onDrop={onFiles}
      inputProps={{ 'aria-label': label }}
    >
      {/* Always in the document, but there only for who drags a file. */}
      <Center h="80vh" style={{ pointerEvents: 'none' }} aria-hidden>
        <Stack align="center" gap="xs">
          <IconFileImport size={48} stroke={1.4} />
          <Text size="lg" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {words}
          </Text>
          <Text c="dimmed">{note}</Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  );
}
