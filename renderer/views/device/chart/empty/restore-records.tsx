import { Button, Group, Text } from '@mantine/core';
import { isOfRecords } from '#shared/domain/kept-kinds.ts';
import { parseInstant } from '#shared/values/time.ts';
import { restoreDelete } from '../../../../components/work/restore-delete.ts';
import { restorableUntil } from '../../../../components/work/undo-toast.tsx';
import { countOf } from '../../../../format.ts';
import { keptDeletes } from '../../../../stores/undo/kept-deletes.ts';

/** The way back of the records that a device had last; nothing where they are gone for good. */
export function RestoreRecords({ device_id }: { readonly device_id: string }) {
  keptDeletes.useWatch('all');
  const { value } = keptDeletes.useValue('all');
  const kept = value?.find((one) => one.device_id === device_id && isOfRecords(one.kind));
  if (!kept) return null;
  return (
    <Group component="span" gap="xs" justify="center" mt="xs">
      <Text span size="sm">
        {restorableUntil(parseInstant(kept.until) ?? 0)}
      </Text>
      <Button size="compact-sm" variant="default" onClick={() => void restoreDelete(kept)}>
        Restore {countOf(kept.deleted.records, 'record')}
      </Button>
    </Group>
  );
}
