import { Box, Group, Text } from '@mantine/core';
import { IconClockPause } from '@tabler/icons-react';
import { useMay } from '../bridge/distant.ts';
import { clock } from '../stores/clock.ts';

/** Line on every screen while the service's clock is set by a rig: nothing that is shown as late, or due, is so by the machine's. */
export function ClockLine() {
  return useMay('clock.get') ? <Watched /> : null;
}

function Watched() {
  clock.useWatch('service');
  const { value } = clock.useValue('service');
  if (value === null || value.mode === 'system') return null;
  const at = value.now.replace('T', ' ').slice(0, 19);
  return (
    <Box component="section" aria-label="Clock of the service" bg="yellow.3" c="dark.9" py={5} px="lg">
      <Group gap="sm" justify="center" wrap="nowrap">
        <IconClockPause size={16} aria-hidden />
        <Text size="sm" fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {value.mode === 'frozen'
            ? `The clock of this service stands at ${at} UTC.`
            : `The clock of this service says ${at} UTC and goes ${value.rate} times as fast.`}
        </Text>
      </Group>
    </Box>
  );
}
