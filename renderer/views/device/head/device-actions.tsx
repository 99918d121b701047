import { ActionIcon, Button, Menu } from '@mantine/core';
import {
  IconDots,
  IconDownload,
  IconEraser,
  IconFileImport,
  IconFileText,
  IconHistory,
  IconPencil,
  IconReplace,
  IconTrash,
  IconWaveSine,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { may, useDistant } from '../../../bridge/distant.ts';
import { CORRECT_LABELS } from '../../../components/corrections/correct-labels.ts';
import { May } from '../../../components/work/may.tsx';
import { currentRoute, goTo } from '../../../router.ts';
import { useActions, type Action } from '../../../stores/actions.ts';
import { useDeleteOf } from '../../../stores/undo/deletes.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { BesideDevices } from './beside-devices.tsx';

interface DeviceActionsProps {
  readonly project_id: string;
  readonly device: Device;
  /** Opens the picker of files. */
  readonly onImport: () => void;
}

/** Actions on a device: the ones of every day as buttons, the others behind "⋯". */
export function DeviceActions({ project_id, device, onImport }: DeviceActionsProps) {
  const of = { project_id, device };
  const what = { description: device.name };
  const purging = useDeleteOf('records.delete', 'data.purge');
  const deleting = useDeleteOf('devices.remove', 'devices.delete');
  const edit: Action = {
    label: 'Edit device…',
    needs: 'devices.update',
    icon: IconPencil,
    ...what,
    run: () => openDialog({ kind: 'edit-device', ...of }),
  };
  const removals: readonly Action[] = [
    {
      label: 'Purge data…',
      needs: purging,
      icon: IconEraser,
      ...what,
      run: () => openDialog({ kind: 'purge-data', ...of }),
    },
    {
      label: 'Delete device…',
      needs: deleting,
      icon: IconTrash,
      ...what,
      run: () => openDialog({ kind: 'delete-device', ...of }),
    },
  ];
  const report: Action = {
    label: 'Report to print',
    needs: 'statistics.get',
    icon: IconFileText,
    ...what,
    run() {
      const now = currentRoute();
      const chart = now.screen === 'device' ? now.chart : undefined;
      goTo({ screen: 'report', project_id, device_id: device.id, ...(chart && { chart }) });
    },
  };
  const simulate: Action = {
    label: 'Simulate…',
    needs: 'simulators.create',
    icon: IconWaveSine,
    ...what,
    run: () => openDialog({ kind: 'simulate', ...of }),
  };
  const history: Action = {
    label: 'History',
    needs: 'audit.list',
    icon: IconHistory,
    ...what,
    run: () => goTo({ screen: 'service', part: 'audit', device: device.id }),
  };
  const replace: Action = {
    label: CORRECT_LABELS.replaced,
    needs: 'corrections.create',
    icon: IconReplace,
    ...what,
    run() {
      const now = currentRoute();
      const zone = (now.screen === 'device' && now.chart?.zone) || 'local';
      openDialog({ kind: 'correct', what: 'replaced', ...of, zone });
    },
  };
  // Anew when it is known what is offered.
  useDistant();
  const offersMore = [report, edit, replace, simulate, history].some(isOffered);
  const offersRemovals = removals.some(isOffered);
  const openExport = () => openDialog({ kind: 'export', ...of });
  useActions([
    { label: 'Import…', needs: 'records.import', icon: IconFileImport, ...what, run: onImport },
    { label: 'Export…', needs: 'records.export', icon: IconDownload, ...what, run: openExport },
    report,
    edit,
    replace,
    simulate,
    history,
    ...removals,
  ]);
  return (
    <>
      <BesideDevices project_id={project_id} device_id={device.id} />
      <May to="records.import">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconFileImport size={16} />}
          title="Import files into this device"
          data-spare
          onClick={onImport}
        >
          Import…
        </Button>
      </May>
      <May to="records.export">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconDownload size={16} />}
          title="Export records of this device"
          data-spare
          onClick={openExport}
        >
          Export…
        </Button>
      </May>
      {(offersMore || offersRemovals) && (
        <Menu position="bottom-end" withinPortal withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon variant="default" size={30} aria-label="More actions">
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Item action={report} />
            <Item action={edit} />
            <Item action={replace} />
            <Item action={simulate} />
            <Item action={history} />
            {offersMore && offersRemovals && <Menu.Divider />}
            {removals.map((action) => (
              <Item key={action.label} action={action} danger />
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </>
  );
}

const isOffered = ({ needs }: Action) => needs === undefined || may(needs);

interface ItemProps {
  readonly action: Action;
  readonly danger?: boolean;
}

/** An action as an item of the menu. */
function Item({ action, danger = false }: ItemProps): ReactNode {
  const { label, icon: Icon, run } = action;
  if (!isOffered(action)) return null;
  return (
    <Menu.Item leftSection={Icon && <Icon size={16} />} onClick={run} {...(danger && { c: 'danger' })}>
      {label}
    </Menu.Item>
  );
}
