import { Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { lineIn } from './decoder-draft.ts';
import classes from './decoder-panel.module.css';

interface ErrorLineProps {
  /** What a decoder said. */
  readonly message: string;
  /** Goes to the line that it names; absent where that is no line of what is written. */
  readonly onLine?: (line: number) => void;
}

/** Error of a decoder, with the way to its line. */
export function ErrorLine({ message, onLine }: ErrorLineProps) {
  const line = lineIn(message);
  return (
    <Group gap={8} wrap="nowrap" align="flex-start">
      <IconAlertTriangle
        size={16}
        aria-hidden
        color="var(--mantine-color-danger-text)"
        className={classes['sign'] ?? ''}
      />
      <Text
        size="sm"
        className="mono"
        lineClamp={4}
        title={message}
        style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
      >
        {message}
      </Text>
      {line !== null && onLine && (
        <Button size="compact-sm" variant="default" flex="none" onClick={() => onLine(line)}>
          {`Go to line ${line}`}
        </Button>
      )}
    </Group>
  );
}
