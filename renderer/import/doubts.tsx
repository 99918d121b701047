import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Doubt } from '#shared/operations/records/records.ts';
import { doubtWords } from './doubt-words.ts';
import type { ImportChoices } from './import-choices.ts';
import { KIND_LABELS } from './import-options.ts';
import { zoneLabel } from './zones.ts';

interface DoubtsProps {
  readonly doubts: readonly Doubt[];
  readonly choices: ImportChoices;
  readonly onChange: (choices: ImportChoices) => void;
  /** What an answer makes of the file, where that is known. */
  readonly outcome?: (option: string) => ReactNode;
}

/** What nothing in the file tells, asked openly: each answer is a click, and the one that counts now is marked. */
export function Doubts({ doubts, choices, onChange, outcome }: DoubtsProps) {
  return doubts.map(({ setting, message, options }) => (
    <Alert
      key={message}
      variant="light"
      color="yellow"
      role="note"
      icon={<IconHelpCircle size={18} />}
      p="sm"
      data-testid="doubt"
    >
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {doubtWords({ message })}
      </Text>
      {options.length > 1 && (
        <Group gap="xs" mt={6} role="group" aria-label={doubtWords({ message })}>
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
              {wordsOf(setting, option)}
            </Button>
          ))}
        </Group>
      )}
      {outcome && (
        <List size="sm" mt={6} spacing={2}>
          {options.map((option) => {
            const made = outcome(option);
            return (
              made && (
                <List.Item key={option}>
                  {wordsOf(setting, option)}: {made}
                </List.Item>
              )
            );
          })}
        </List>
      )}
    </Alert>
  ));
}

const WORDS: Readonly<Record<string, string>> = {
  ...KIND_LABELS,
  'day-first': 'Day first',
  'month-first': 'Month first',
  'year-first': 'Year first, two digits',
  'full-year-first': 'Year first, four digits',
  '.': 'Point: 1,000.5',
  ',': 'Comma: 1.000,5',
  yes: 'Yes',
  no: 'No',
};

function wordsOf(setting: Doubt['setting'], option: string): string {
  if (setting === 'zone') return zoneLabel(option);
  if (option === '') return 'None';
  return WORDS[option] ?? option;
}
