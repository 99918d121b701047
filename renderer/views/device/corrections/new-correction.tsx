import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import type { CorrectionKind } from '#shared/domain/corrections.ts';
import { CORRECT_LABELS } from '../../../components/corrections/correct-labels.ts';
import { May } from '../../../components/work/may.tsx';
import { openDialog, type ToCorrect } from '../../../stores/dialog.ts';

const KINDS: readonly CorrectionKind[] = ['quality', 'calibration', 'time', 'replaced', 'derived'];

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
          {KINDS.map((what) => (
            <Menu.Item key={what} onClick={() => openDialog({ kind: 'correct', what, ...of })}>
              {CORRECT_LABELS[what]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </May>
  );
}
