import {
  IconArrowsDiff,
  IconDownload,
  IconEraser,
  IconFolderSymlink,
  IconTag,
  IconTrash,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { OperationId } from '#shared/operations/index.ts';
import { may } from '../../../bridge/distant.ts';
import { goTo } from '../../../router.ts';
import { openDialog } from '../../../stores/dialog.ts';

interface DeviceAction {
  readonly label: string;
  readonly icon: ComponentType<{ size?: number }>;
  /** Where the service has it not, or lets this window not do it, it is not offered. */
  readonly needs?: OperationId;
  readonly danger?: true;
  /** How many devices it takes; absent: any. */
  readonly from?: number;
  readonly to?: number;
  readonly open: (project_id: string, devices: readonly FoundDevice[]) => void;
}

/** As many as the screen that compares has lines for. */
const MOST_COMPARED = 16;

const ALL: readonly DeviceAction[] = [
  {
    label: 'Compare',
    icon: IconArrowsDiff,
    from: 2,
    to: MOST_COMPARED,
    open(_project, devices) {
      // The first number that their rows show.
      const first = devices.flatMap(({ values }) => values).find(({ value }) => typeof value === 'number');
      const keys = first ? { keys: [first.key] } : {};
      goTo({ screen: 'compare', devices: devices.map(({ id }) => id), ...keys });
    },
  },
  {
    label: 'Tag…',
    needs: 'devices.update',
    icon: IconTag,
    open: (project_id, devices) => openDialog({ kind: 'tag-devices', project_id, devices }),
  },
  {
    label: 'Export…',
    needs: 'records.export',
    icon: IconDownload,
    open: (project_id, devices) => openDialog({ kind: 'export-devices', project_id, devices }),
  },
  {
    label: 'Move…',
    needs: 'devices.move',
    icon: IconFolderSymlink,
    open: (project_id, devices) => openDialog({ kind: 'move-devices', project_id, devices }),
  },
  {
    label: 'Purge data…',
    needs: 'records.delete',
    icon: IconEraser,
    danger: true,
    open: (project_id, devices) => openDialog({ kind: 'remove-devices', what: 'data', project_id, devices }),
  },
  {
    label: 'Delete…',
    needs: 'devices.remove',
    icon: IconTrash,
    danger: true,
    open: (project_id, devices) =>
      openDialog({ kind: 'remove-devices', what: 'devices', project_id, devices }),
  },
];

/** Returns the actions on one device or many, in the order of the menu. */
export const deviceActions = (): readonly DeviceAction[] =>
  ALL.filter(({ needs }) => needs === undefined || may(needs));
