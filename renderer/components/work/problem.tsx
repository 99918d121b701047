import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';

interface ProblemProps {
  readonly message: string;
  /** Tries again, where that may help. */
  readonly onRetry?: () => void;
}

/** Error, with its message. */
export function Problem({ message, onRetry }: ProblemProps) {
  return (
    <Alert color="danger" variant="light" icon={<IconAlertTriangle size={18} />} role="alert" p="sm">
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry} flex="none">
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
