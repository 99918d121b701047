import { Alert, Button, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../facts/moment.tsx';
import { Problem } from './problem.tsx';
import { restorableUntil } from './undo-toast.tsx';
import { keptDeletes } from '../../stores/undo/kept-deletes.ts';
import { restoreDelete } from './restore-delete.ts';

interface DeletedHereProps {
  readonly project_id: string;
  readonly device_id?: string;
  /** Why it cannot be shown, where it was not deleted. */
  readonly message: string;
  readonly onRetry: () => void;
}

/** Screen of a missing device or project: where it was deleted, that, and the way back. */
export function DeletedHere({ project_id, device_id, message, onRetry }: DeletedHereProps) {
  keptDeletes.useWatch('all');
  const { value } = keptDeletes.useValue('all');
  const kept =
    value?.find(({ kind, project_id: id }) => kind === 'project' && id === project_id) ??
    value?.find(({ kind, device_id: id }) => kind === 'device' && id === device_id);
  if (!kept) return <Problem message={message} onRetry={onRetry} />;
  return (
    <Alert color="petrol" variant="light" icon={<IconTrash size={18} />} role="alert" p="sm">
      <Group justify="space-between">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {kept.kind === 'project' ? 'The project' : 'The device'} “{kept.name}” was deleted{' '}
          <Moment at={parseInstant(kept.deleted_at) ?? 0} relative />.{' '}
          {restorableUntil(parseInstant(kept.until) ?? 0)}
        </Text>
        <Button size="xs" onClick={() => void restoreDelete(kept)}>
          Restore {kept.kind}
        </Button>
      </Group>
    </Alert>
  );
}
