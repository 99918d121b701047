import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconCheck,
  IconDots,
  IconDownload,
  IconList,
  IconPencil,
  IconPlus,
  IconUpload,
} from '@tabler/icons-react';
import { memo } from 'react';
import { ask, messageOf } from '../../bridge/ask.ts';
import { useMay } from '../../bridge/distant.ts';
import { FullScreenButton } from '../../chart/full-screen/full-screen-button.tsx';
import type { FullScreen } from '../../chart/full-screen/use-full-screen.ts';
import { usePickFiles } from '../../components/screen/use-pick-files.ts';
import { sayFailed } from '../../components/work/notices.ts';
import { saveFile } from '../../components/work/save-file.ts';
import { goTo } from '../../router.ts';
import { openDialog } from '../../stores/dialog.ts';
import { fileName } from '#shared/values/file-name.ts';

interface DashboardActionsProps {
  readonly project_id: string;
  /** Of the project, by which a file is called. */
  readonly name: string;
  readonly hasWidgets: boolean;
  readonly isEditing: boolean;
  readonly full: FullScreen;
  readonly onEdit: () => void;
  readonly onAdd: () => void;
}

/** Actions on a dashboard as a whole. */
export const DashboardActions = memo(function DashboardActions(props: DashboardActionsProps) {
  const { project_id, name, hasWidgets, isEditing, full, onEdit, onAdd } = props;
  const mayEdit = useMay('widgets.create', 'widgets.update', 'edits.replace', 'widgets.import');
  const mayExport = useMay('widgets.export');
  const pick = usePickFiles(([file]) => file && openDialog({ kind: 'import-widgets', project_id, file }));
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconList size={16} />}
        title="Devices (D)"
        onClick={() => goTo(listOf(project_id))}
      >
        Devices
      </Button>
      {mayEdit && hasWidgets && (
        <Button
          variant={isEditing ? 'filled' : 'default'}
          leftSection={isEditing ? <IconCheck size={16} /> : <IconPencil size={16} />}
          title={isEditing ? 'Done (E)' : 'Edit (E)'}
          onClick={onEdit}
        >
          {isEditing ? 'Done' : 'Edit'}
        </Button>
      )}
      {mayEdit && hasWidgets && (
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          title="Add a widget (N)"
          onClick={onAdd}
        >
          Add widget
        </Button>
      )}
      {hasWidgets && <FullScreenButton full={full} />}
      {(mayEdit || (mayExport && hasWidgets)) && (
        <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon variant="default" size={36} aria-label="More actions">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayExport && hasWidgets && (
              <Menu.Item
                leftSection={<IconDownload size={16} />}
                onClick={() => void exportWidgets(project_id, name)}
              >
                Export as a file
              </Menu.Item>
            )}
            {mayEdit && (
              <Menu.Item leftSection={<IconUpload size={16} />} onClick={pick}>
                Import from a file…
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
});

/** The list of a project's devices, also where the dashboard is its first page. */
export const listOf = (project_id: string) =>
  ({ screen: 'devices', project_id, list: { view: 'list' } }) as const;

async function exportWidgets(project_id: string, name: string): Promise<void> {
  try {
    const dashboard = await ask('widgets.export', { project_id });
    const content = new Blob([`${JSON.stringify(dashboard, null, 2)}\n`], { type: 'application/json' });
    await saveFile(fileName(`dashboard-${name}`, 'json'), content);
  } catch (error) {
    sayFailed('The dashboard could not be exported', messageOf(error));
  }
}
