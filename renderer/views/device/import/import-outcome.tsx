import { Alert, Button, List, Text } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { ImportResult } from '#shared/operations/records.ts';
import { parseInstant } from '#shared/time.ts';
import { DialogFooter } from '../../../components/dialog/dialog-footer.tsx';
import { Moment } from '../../../components/facts/moment.tsx';
import { countOf } from '../../../format.ts';

interface ImportOutcomeProps {
  readonly result: ImportResult;
  /** The file that comes after it, if any. */
  readonly next: string | null;
  readonly onClose: () => void;
}

/** What an import stored, what it left out and why. */
export function ImportOutcome({ result, next, onClose }: ImportOutcomeProps) {
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus(), []);
  const first = parseInstant(result.first ?? '');
  const last = parseInstant(result.last ?? '');
  return (
    <>
      <Alert
        color="teal"
        variant="light"
        icon={<IconCheck size={18} />}
        title={`${countOf(result.stored, 'record')} imported`}
      >
        {first !== null && last !== null && (
          <Text size="sm">
            From <Moment at={first} /> to <Moment at={last} />.
          </Text>
        )}
        {result.notes.map((note) => (
          <Text size="sm" key={note}>
            {note}
          </Text>
        ))}
      </Alert>
      {result.skipped > 0 && (
        <Alert
          color="yellow"
          variant="light"
          icon={<IconAlertTriangle size={18} />}
          title={`${countOf(result.skipped, 'row')} left out`}
        >
          <List size="sm">
            {result.errors.map(({ line, message }) => (
              <List.Item key={line}>
                Line {line}: {message}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <DialogFooter>
        <Button onClick={onClose} ref={done}>
          {next === null ? 'Done' : `Next: ${next}`}
        </Button>
      </DialogFooter>
    </>
  );
}
