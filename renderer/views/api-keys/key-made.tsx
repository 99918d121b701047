import { Alert, Button, Checkbox, Modal, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import { Copyable } from '../../components/facts/copyable.tsx';
import { DialogFooter } from '../../components/dialog/dialog-footer.tsx';
import { closeDialog } from '../../stores/dialog.ts';

interface KeyMadeProps {
  readonly name: string;
  readonly api_key: string;
  /** Rights of the key, in a sentence or two. */
  readonly allows: string;
}

/** A new key, shown this once: the dialog does not close until it is marked as stored. */
export function KeyMade({ name, api_key, allows }: KeyMadeProps) {
  const [stored, setStored] = useState(false);
  const [reminded, setReminded] = useState(false);
  const close = () => {
    if (stored) closeDialog();
    else setReminded(true);
  };
  return (
    <Modal
      opened
      onClose={close}
      title={`API key “${name}”`}
      size="lg"
      closeOnClickOutside={false}
      withCloseButton={false}
    >
      <Stack gap="sm">
        <Alert variant="light" icon={<IconInfoCircle size={18} />} p="sm">
          <Text size="sm">Copy it now: it is not shown again. {allows}</Text>
        </Alert>
        <Copyable label="API key" value={api_key} first onCopied={() => setStored(true)} />
        <Checkbox
          label="I have stored it"
          checked={stored}
          onChange={(event) => setStored(event.currentTarget.checked)}
        />
        {reminded && !stored && (
          <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={18} />} role="alert" p="sm">
            <Text size="sm">The key is not copied yet. Closing would lose it.</Text>
          </Alert>
        )}
        <DialogFooter>
          <Button onClick={close} disabled={!stored}>
            Done
          </Button>
        </DialogFooter>
      </Stack>
    </Modal>
  );
}
