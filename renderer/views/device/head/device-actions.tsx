import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconEraser,
  IconFileImport,
  IconFileText,
  IconPencil,
  IconTrash,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Device } from '#shared/schemas.ts';
import { currentRoute, goTo } from '../../../router.ts';
import { useActions, type Action } from '../../../stores/actions.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { BesideDevices } from './beside-devices.tsx';

interface DeviceActionsProps {
  readonly project_id: string;
  readonly device: Device;
  /** Opens the picker of files. */
  readonly onImport: () => void;
}

/** What can be done with a device: the ones of every day as buttons, the others behind "⋯". */
export function DeviceActions({ project_id, device, onImport }: DeviceActionsProps) {
  const of = { project_id, device };
  const what = { description: device.name };
  const edit: Action = {
    label: 'Edit device…',
    icon: IconPencil,
    ...what,
    run: () => openDialog({ kind: 'edit-device', ...of }),
  };
  const removals: readonly Action[] = [
    {
      label: 'Purge data…',
      icon: IconEraser,
      ...what,
      run: () => openDialog({ kind: 'purge-data', ...of }),
    },
    {
      label: 'Delete device…',
      icon: IconTrash,
      ...what,
      run: () => openDialog({ kind: 'delete-device', ...of }),
    },
  ];
  const report: Action = {
    label: 'Report to print',
    icon: IconFileText,
    ...what,
    run() {
      const now = currentRoute();
      const chart = now.screen === 'device' ? now.chart : undefined;
      goTo({ screen: 'report', project_id, device_id: device.id, ...(chart && { chart }) });
    },
  };
  const openExport = () => openDialog({ kind: 'export', ...of });
  useActions([
    { label: 'Import…', icon: IconFileImport, ...what, run: onImport },
    { label: 'Export…', icon: IconDownload, ...what, run: openExport },
    report,
    edit,
    ...removals,
  ]);
  return (
    <>
      <BesideDevices project_id={project_id} device_id={device.id} />
      <Button size="xs" leftSection={<IconFileImport size={16} />} onClick={onImport}>
        Import…
      </Button>
      <Button size="xs" variant="default" leftSection={<IconDownload size={16} />} onClick={openExport}>
        Export…
      </Button>
      <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Item action={report} />
          <Item action={edit} />
          <Menu.Divider />
          {removals.map((action) => (
            <Item key={action.label} action={action} danger />
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

interface ItemProps {
  readonly action: Action;
  readonly danger?: boolean;
}

/** An action as an item of the menu. */
function Item({ action: { label, icon: Icon, run }, danger = false }: ItemProps): ReactNode {
  return (
    <Menu.Item leftSection={Icon && <Icon size={16} />} onClick={run} {...(danger && { c: 'danger' })}>
      {label}
    </Menu.Item>
  );
}
