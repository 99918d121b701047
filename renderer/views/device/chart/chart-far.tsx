import { Button, Group, Text } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import type { FarOff } from '../../../chart/records/far-off.ts';
import { countOf } from '../../../format.ts';
import { formatDay } from '../../../time.ts';

interface ChartFarProps {
  readonly far: FarOff;
  /** Whether the records that lie far from all others are in the picture. */
  readonly isShown: boolean;
  readonly onShow: (shown: boolean) => void;
}

/** Notice of a few records far from all others, which the chart leaves out or is pressed flat by. */
export function ChartFar({ far: { records, first, last, core }, isShown, onShow }: ChartFarProps) {
  const days = [...new Set([first, last].map((instant) => formatDay(instant)))];
  const when = days.join(records > 2 ? ' to ' : ', ');
  const lie = records === 1 ? 'lies' : 'lie';
  const most = [...new Set([core.from, core.to].map((instant) => formatDay(instant)))].join(' to ');
  return (
    <Group gap="xs" role="note" data-testid="chart-far">
      <IconClockExclamation size={16} />
      <Text span inherit>
        {countOf(records, 'record')} {lie} far outside ({when}).{isShown && ` All others are of ${most}.`}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => onShow(!isShown)}>
        {isShown ? 'Show the others' : 'Show all'}
      </Button>
    </Group>
  );
}
