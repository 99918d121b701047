import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Doubt } from '#shared/operations/records/records.ts';
import type { ImportChoices } from './import-choices.ts';
import { screenWords } from '../bridge/screen-words.ts';
import { answerWords } from './answer-words.ts';

interface DoubtsProps {
  readonly doubts: readonly Doubt[];
  readonly choices: ImportChoices;
  readonly onChange: (choices: ImportChoices) => void;
  /** What an answer makes of the file, where that is known. */
  readonly outcome?: (option: string) => ReactNode;
  /** What each answer makes of it alike, said once. */
  readonly alike?: ReactNode;
}

/** What nothing in the file tells, asked openly: each answer is a click, and the one that counts now is marked. */
export function Doubts({ doubts, choices, onChange, outcome, alike }: DoubtsProps) {
  return doubts.map((doubt) => {
    const { setting, message, options } = doubt;
    return (
      <Alert
        key={message}
        variant="light"
        color="yellow"
        role="note"
        icon={<IconHelpCircle size={18} />}
        px="sm"
        py="xs"
        data-testid="doubt"
      >
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {screenWords(message)}
        </Text>
        {options.length > 1 && (
          <Group gap="xs" mt={4}>
            <Group gap="xs" role="group" aria-label={screenWords(message)}>
              {options.map((option, place) => (
                <Button
                  key={option}
                  size="compact-sm"
                  variant={place === 0 ? 'light' : 'default'}
                  aria-pressed={place === 0}
                  onClick={() =>
                    onChange({ ...choices, [setting]: setting === 'first_line' ? Number(option) : option })
                  }
                >
                  {answerWords(doubt, place)}
                </Button>
              ))}
            </Group>
            {alike && (
              <Text size="sm" data-testid="alike">
                {alike}
              </Text>
            )}
          </Group>
        )}
        {outcome && (
          <List size="sm" mt={4}>
            {options.map((option, place) => {
              const made = outcome(option);
              return (
                made && (
                  <List.Item key={option}>
                    {answerWords(doubt, place)}: {made}
                  </List.Item>
                )
              );
            })}
          </List>
        )}
      </Alert>
    );
  });
}
