import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { Copyable } from '../../components/facts/copyable.tsx';
import { DialogFooter } from '../../components/dialog/dialog-footer.tsx';
import { FormDialog } from '../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../components/dialog/use-submit.ts';
import { closeDialog } from '../../stores/dialog.ts';

interface RenewTokenDialogProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

export function RenewTokenDialog({ project_id, device }: RenewTokenDialogProps) {
  const [token, setToken] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    const renewed = await ask('devices.renew-token', { project_id, device_id: device.id });
    setToken(renewed.device_token);
  });
  if (token === null)
    return (
      <FormDialog title={`Renew the token of “${device.name}”`} action="Renew token" submit={submit} danger>
        <Text size="sm">
          The present token stops working at once. The device stores nothing until it has been given the new
          one.
        </Text>
      </FormDialog>
    );
  return (
    <Modal opened onClose={closeDialog} title="New token" size="lg">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          Give it to the device. It stays readable on this page, under Connect.
        </Text>
        <Copyable label="Device token" value={token} first />
        <DialogFooter>
          <Button onClick={closeDialog}>Close</Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
