import { Box, Group, Loader, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useConnection } from '../bridge/connection.ts';
import { formatClock } from '../time.ts';

/** Banner while the service is out of reach, or has ended this window's access. */
export function ConnectionBanner() {
  const { state, lostAt } = useConnection();
  if (state !== 'lost' && state !== 'signed-out') return null;
  const isLost = state === 'lost';
  return (
    <Box role="alert" bg="yellow.3" c="dark.9" py={6} px="lg">
      <Group gap="sm" justify="center" wrap="nowrap">
        {isLost ? <Loader size={14} color="dark" /> : <IconLock size={16} aria-hidden />}
        <Text size="sm" fw={500}>
          {isLost
            ? `The service cannot be reached, trying again. Is it running? What is shown is as of ${formatClock(lostAt ?? 0)}.`
            : 'This browser is signed out of the service. Open the console address that the service printed at its start in this browser; this window then goes on by itself.'}
        </Text>
      </Group>
    </Box>
  );
}
