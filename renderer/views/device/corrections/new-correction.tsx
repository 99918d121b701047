import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import type { CorrectionKind } from '#shared/domain/corrections.ts';
import { May } from '../../../components/work/may.tsx';
import { openDialog, type ToCorrect } from '../../../stores/dialog.ts';

const ITEMS: readonly { readonly what: CorrectionKind; readonly label: string }[] = [
  { what: 'quality', label: 'Quality…' },
  { what: 'calibration', label: 'Calibrate…' },
  { what: 'time', label: 'Clock was wrong…' },
  { what: 'replaced', label: 'Replace device…' },
  { what: 'derived', label: 'Computed key…' },
];

/** The ways to a new correction of a device, whatever is selected in its chart. */
export function NewCorrection(of: Pick<ToCorrect, 'project_id' | 'device' | 'zone'>) {
  return (
    <May to="corrections.create">
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            ml="auto"
            variant="default"
            leftSection={<IconPlus size={16} />}
            rightSection={<IconChevronDown size={14} />}
          >
            New correction
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {ITEMS.map(({ what, label }) => (
            <Menu.Item key={what} onClick={() => openDialog({ kind: 'correct', what, ...of })}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </May>
  );
}
