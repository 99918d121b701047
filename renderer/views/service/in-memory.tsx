import { Alert } from '@mantine/core';
import { IconRefreshAlert } from '@tabler/icons-react';

/** Of a service without a data directory: nothing that is done here lasts. */
export function InMemory() {
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      icon={<IconRefreshAlert size={18} />}
      title="In memory: all is gone when the service ends"
    >
      Nothing is on disk: no project, record, key or setting. A backup of it can be restored to any service.
    </Alert>
  );
}
