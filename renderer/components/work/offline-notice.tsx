import { Alert, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useConnection, useOffline } from '../../bridge/connection.ts';

/** Notice in a dialog that the service is out of reach. */
export function OfflineNotice() {
  const isSignedOut = useConnection(({ state }) => state === 'signed-out');
  if (!useOffline()) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconPlugConnectedX size={18} />} role="status" p="sm">
      <Text size="sm">
        {isSignedOut
          ? 'The service does not know this window any more. What you entered stays: open the console address that it printed, in this browser, and go on here.'
          : 'The service cannot be reached. What you entered stays; go on once the connection is back.'}
      </Text>
    </Alert>
  );
}
