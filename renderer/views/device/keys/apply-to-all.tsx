import { Text } from '@mantine/core';
import { useCallback } from 'react';
import { ask } from '../../../bridge/ask.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { countOf } from '../../../format.ts';

interface ApplyToAllProps {
  readonly project_id: string;
  readonly device_id: string;
  readonly dataKey: string;
}

/** Preview of the devices whose settings of a key would change. */
export function ApplyToAll({ project_id, device_id, dataKey }: ApplyToAllProps) {
  const read = useCallback(
    () =>
      ask('key-settings.set', { project_id, device_id, key: dataKey, apply_to: 'project', dry_run: true }),
    [project_id, device_id, dataKey],
  );
  const { value, error, retry } = useRead(read);
  if (error !== null) return <Problem message={error} onRetry={retry} />;
  return (
    <Text size="sm" c="dimmed" role="status">
      {value === null
        ? 'Counting devices…'
        : `${countOf(value.changed, 'device')} will have these settings for “${dataKey}”, whatever it has now.`}
    </Text>
  );
}
