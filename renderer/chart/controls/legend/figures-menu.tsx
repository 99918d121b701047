import { Button, Menu } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import { may } from '../../../bridge/distant.ts';
import { chooseFigures, useShownFigures } from './columns.ts';
import { FIGURES } from './figures.ts';

/** Which figures a legend has; none to choose from where the service tells none. */
export function FiguresMenu() {
  const shown = useShownFigures().map(({ id }) => id);
  if (!may('statistics.get')) return null;
  return (
    <Menu position="top-end" closeOnItemClick={false} withinPortal withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button size="compact-xs" variant="default" leftSection={<IconColumns3 size={14} />}>
          Figures
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
        {FIGURES.map(({ id, label, about }) => (
          <Menu.CheckboxItem
            key={id}
            checked={shown.includes(id)}
            onChange={(checked) =>
              chooseFigures(checked ? [...shown, id] : shown.filter((other) => other !== id))
            }
          >
            {label === about.toLowerCase() ? about : `${label}: ${about.toLowerCase()}`}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
