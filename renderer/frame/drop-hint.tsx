import { Center, Stack, Text } from '@mantine/core';
import { Dropzone } from '@mantine/dropzone';
import { IconFileImport } from '@tabler/icons-react';
import type { Route } from '../router.ts';
import { importFiles, lookAtFiles, usePicked } from '../stores/picked-files.ts';
import { useDialog } from '../stores/dialog.ts';

/**
 * Takes files that are dropped on a screen without a device: those of a project go to its import screen, others are looked at
 * before it is said where they belong. The browser would open them instead of the app.
 */
export function DropHint({ route }: { readonly route: Route }) {
  const project_id = 'project_id' in route ? route.project_id : null;
  const idle = useDialog(({ open }) => open === null);
  const beside = usePicked(({ dropsBeside }) => dropsBeside);
  return (
    <Dropzone.FullScreen
      key={beside}
      // The tree beside the screen takes files, too.
      styles={{ fullScreen: { left: 'var(--app-beside, 0px)' } }}
      // Electron's own pickers of that API hang in some folders; the input's picker does the same job.
      useFsAccessApi={false}
      active={idle}
      activateOnKeyboard={false}
      inputProps={{ 'aria-hidden': true, tabIndex: -1 }}
      onDrop={(files) => {
        if (project_id === null) lookAtFiles(files);
        else importFiles(project_id, files, 'device_id' in route ? route.device_id : null);
      }}
    >
      {/* Always in the document, but there only for who drags a file. */}
      <Center h="80vh" style={{ pointerEvents: 'none' }} aria-hidden>
        <Stack align="center" gap="xs">
          <IconFileImport size={48} stroke={1.4} />
          <Text size="lg" fw={600}>
            {project_id === null ? 'Drop to look at them' : 'Drop to import into this project'}
          </Text>
          <Text c="dimmed">
            {project_id === null
              ? 'CSV or NDJSON, any number. You will see what they hold first, and say then where they belong.'
              : 'CSV or NDJSON, any number. You will see how each is read before anything is stored.'}
          </Text>
        </Stack>
      </Center>
    </Dropzone.FullScreen>
  );
}
