import { useMantineColorScheme } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBell,
  IconChecklist,
  IconCloudUpload,
  IconDeviceDesktop,
  IconFileImport,
  IconFolderPlus,
  IconKey,
  IconKeyboard,
  IconMoon,
  IconPencil,
  IconPlus,
  IconSun,
  IconTrash,
} from '@tabler/icons-react';
import { goTo, type Route } from '../router.ts';
import { useActions, type Action } from '../stores/actions.ts';
import { useDeleteOf } from '../stores/undo/deletes.ts';
import { openDialog } from '../stores/dialog.ts';
import { importFiles } from '../stores/picked-files.ts';
import { projects } from '../stores/projects.ts';
import { undoHistory } from '../stores/undo/undo-history.ts';
import { redoLast, undoLast } from '../components/work/undo-toast.tsx';
import { palette } from '../stores/palette.ts';
import { openTray } from './jobs/tray.ts';

const THEMES = [
  { scheme: 'light', label: 'Theme: light', icon: IconSun },
  { scheme: 'dark', label: 'Theme: dark', icon: IconMoon },
  { scheme: 'auto', label: 'Theme: as the system', icon: IconDeviceDesktop },
] as const;

/** Actions of every screen, and on the present project. */
export function GlobalActions({ route }: { readonly route: Route }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const project_id = 'project_id' in route ? route.project_id : null;
  const project = projects.useValue('all').value?.find(({ id }) => id === project_id);
  const deleting = useDeleteOf('projects.remove', 'projects.delete');
  const what = { description: project?.name ?? '' };
  const ofProject: readonly Action[] = project
    ? [
        {
          label: 'New device',
          needs: 'devices.create',
          icon: IconPlus,
          ...what,
          run: () => openDialog({ kind: 'new-device', project_id: project.id }),
        },
        {
          label: 'Many devices from a list…',
          needs: 'devices.create-many',
          icon: IconPlus,
          ...what,
          run: () => openDialog({ kind: 'new-devices', project_id: project.id }),
        },
        {
          label: 'Import files…',
          needs: 'records.import',
          icon: IconFileImport,
          ...what,
          run: () => importFiles(project.id, []),
        },
        {
          label: 'Rules of the project',
          needs: 'functions.list',
          icon: IconBell,
          ...what,
          run: () => goTo({ screen: 'rules', project_id: project.id }),
        },
        {
          label: 'Push to a lab…',
          icon: IconCloudUpload,
          ...what,
          run: () => goTo({ screen: 'push', project_id: project.id }),
        },
        {
          label: 'Edit project…',
          needs: 'projects.update',
          icon: IconPencil,
          ...what,
          run: () => openDialog({ kind: 'edit-project', project }),
        },
        {
          label: 'Delete project…',
          needs: deleting,
          icon: IconTrash,
          ...what,
          run: () => openDialog({ kind: 'delete-project', project }),
        },
      ]
    : [];
  useActions(ofProject, 'project');
  useActions(
    [
      {
        label: 'Go to a project or device, or do something',
        shortcut: 'mod+k',
        keyOnly: true,
        run: palette.open,
      },
      {
        label: 'New project',
        needs: 'projects.create',
        icon: IconFolderPlus,
        run: () => openDialog({ kind: 'new-project' }),
      },
      {
        label: 'New API key',
        needs: 'keys.create',
        icon: IconKey,
        run: () => openDialog({ kind: 'new-key' }),
      },
      {
        // As it is when it is asked for: nothing is drawn anew for it.
        get label() {
          const next = undoHistory.next('undo');
          return next ? `Undo: ${next.title}` : 'Undo the last change';
        },
        icon: IconArrowBackUp,
        shortcut: 'mod+z',
        run: undoLast,
      },
      {
        get label() {
          const next = undoHistory.next('redo');
          return next ? `Redo: ${next.title}` : 'Redo what was undone';
        },
        icon: IconArrowForwardUp,
        shortcut: 'mod+shift+z',
        also: 'mod+y',
        run: redoLast,
      },
      { label: 'Jobs', icon: IconChecklist, run: openTray },
      ...THEMES.filter(({ scheme }) => scheme !== colorScheme).map(({ scheme, ...theme }) => ({
        ...theme,
        run: () => setColorScheme(scheme),
      })),
      {
        label: 'Keyboard shortcuts',
        icon: IconKeyboard,
        shortcut: '?',
        run: () => openDialog({ kind: 'shortcuts' }),
      },
    ],
    'everywhere',
  );
  return null;
}
