import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { ask, messageOf } from '../../../bridge/ask.ts';
import { May } from '../../../components/work/may.tsx';
import { sayFailed } from '../../../components/work/notices.ts';
import { shortened } from '../../../format.ts';
import { goTo } from '../../../router.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { deviceActions } from '../bulk/actions.ts';
import classes from './device-cells.module.css';

interface RowMenuProps {
  readonly project_id: string;
  readonly device: FoundDevice;
  readonly tabIndex: number;
}

/** Actions on one device; a menu only once it is opened, as there is one in each row. */
export function RowMenu({ project_id, device, tabIndex }: RowMenuProps) {
  const [opened, setOpened] = useState<boolean | null>(null);
  const button = (
    <button
      type="button"
      className={classes['more']}
      tabIndex={tabIndex}
      aria-label={`Actions for ${shortened(device.name, 100)}`}
      onClick={() => setOpened((before) => !before)}
    >
      <IconDots size={16} />
    </button>
  );
  if (opened === null) return button;

  const edit = async () => {
    try {
      openDialog({
        kind: 'edit-device',
        project_id,
        device: await ask('devices.get', { project_id, device_id: device.id }),
      });
    } catch (error) {
      sayFailed(`“${device.name}” could not be read`, messageOf(error));
    }
  };
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" withinPortal returnFocus>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => goTo({ screen: 'device', project_id, device_id: device.id, tab: 'chart' })}>
          Open
        </Menu.Item>
        <May to="devices.update">
          <Menu.Item onClick={() => void edit()}>Edit device…</Menu.Item>
        </May>
        <May to="devices.create">
          <Menu.Item onClick={() => openDialog({ kind: 'clone-device', project_id, device })}>
            Clone…
          </Menu.Item>
        </May>
        <Menu.Divider />
        {deviceActions()
          .filter(({ from = 1 }) => from === 1)
          .map(({ label, icon: Icon, danger, open }) => (
            <Menu.Item
              key={label}
              leftSection={<Icon size={16} />}
              {...(danger && { color: 'danger' })}
              onClick={() => open(project_id, [device])}
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
