import { Alert, Text } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useOffline } from '../../bridge/connection.ts';

/** In a dialog that needs the service: says that it has to wait, for as long as that is so. */
export function OfflineNotice() {
  if (!useOffline()) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconPlugConnectedX size={18} />} role="status" p="sm">
      <Text size="sm">
        The service cannot be reached. What you entered stays; go on once the connection is back.
      </Text>
    </Alert>
  );
}
