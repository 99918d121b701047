import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useState, type ReactElement } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import classes from './device-cells.module.css';
import { KeyItems, KeyName, withSearch } from './key-items.tsx';

interface KeyPickerProps {
  readonly project_id: string;
  /** Returns the devices of the project as they are when it is opened. */
  readonly devicesNow: () => readonly FoundDevice[];
  readonly chosen: string;
  readonly nameOf: (key: string) => string;
  readonly onChoose: (key: string) => void;
  /** What opens it; absent: an arrow. */
  readonly target?: ReactElement;
}

/** Chooses the key whose last day is drawn and compared. */
export function KeyPicker(props: KeyPickerProps) {
  const { project_id, devicesNow, chosen, nameOf, onChoose, target } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu
      position="bottom-start"
      width={300}
      opened={isOpen}
      onChange={setOpen}
      styles={{ itemLabel: { minWidth: 0 } }}
      withinPortal
    >
      <Menu.Target>
        {target ?? (
          <button type="button" className={classes['picker']} aria-label="Key of the last day">
            <IconChevronDown size={14} aria-hidden />
          </button>
        )}
      </Menu.Target>
      <Menu.Dropdown ref={withSearch} mah="60vh" style={{ overflowY: 'auto' }}>
        <Menu.Label>Last day of</Menu.Label>
        {isOpen && (
          <Menu.RadioGroup value={chosen} onChange={onChoose}>
            <KeyItems
              project_id={project_id}
              devices={devicesNow()}
              chosen={chosen === '' ? [] : [chosen]}
              nameOf={nameOf}
              renderItem={(key) => (
                <Menu.RadioItem key={key} value={key} closeMenuOnClick>
                  <KeyName name={nameOf(key)} />
                </Menu.RadioItem>
              )}
            />
          </Menu.RadioGroup>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
