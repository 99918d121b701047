import { Group, SegmentedControl, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { exactNumber } from '../../../../numbers.ts';
import type { CalibrationDraft, DraftField } from './calibration-draft.ts';
import type { TimeEntry } from '../fields/use-time-entry.ts';

/** Two moments, and what was stored nearest to each; null where nothing was. */
export type Moments = readonly [Moment, Moment];
interface Moment {
  readonly entry: TimeEntry;
  readonly reading: number | null;
}

interface CalibrationFieldsProps {
  readonly draft: CalibrationDraft;
  readonly onChange: (draft: CalibrationDraft) => void;
  readonly unit: string;
  readonly moments: Moments;
  /** Whether stored times are not those of the chart. */
  readonly isStored: boolean;
  readonly problems: Partial<Record<DraftField, string>>;
  /** What the service says of the points; null for nothing. */
  readonly refused: string | null;
}

/** The fields of a calibration, by the way it is told. */
export function CalibrationFields(props: CalibrationFieldsProps) {
  const { draft, onChange, unit, moments, isStored, problems, refused } = props;
  const set = (more: Partial<CalibrationDraft>) => onChange({ ...draft, ...more });
  const withUnit = (label: string) => (unit === '' ? label : `${label} (${unit})`);
  const number = (label: string, field: 'read' | 'truth' | 'gain' | 'offset', isFirst = false) => (
    <TextInput
      label={label}
      inputMode="decimal"
      value={draft[field]}
      onChange={(event) => set({ [field]: event.currentTarget.value })}
      error={problems[field] ?? (isFirst ? refused : null)}
      autoComplete="off"
      spellCheck={false}
      data-autofocus={isFirst || undefined}
    />
  );
  switch (draft.way) {
    case 'one':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {number(withUnit('It read'), 'read', true)}
          {number(withUnit('True value'), 'truth')}
        </SimpleGrid>
      );
    case 'line':
      return (
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {number('Gain', 'gain', true)}
          {number(withUnit('Offset'), 'offset')}
        </SimpleGrid>
      );
    case 'two':
      return (
        <Stack gap={4}>
          {moments.map(({ entry, reading }, place) => (
            <SimpleGrid key={place} cols={{ base: 1, sm: 2 }} spacing="sm">
              <TextInput
                label={`${place === 0 ? 'First' : 'Second'} moment${isStored ? ' (time as stored)' : ''}`}
                description={
                  reading === null ? 'Nothing is stored near it' : `It read ${exactNumber(reading)}`
                }
                placeholder="2026-11-19 18:00"
                value={entry.text}
                onChange={(event) => entry.set(event.currentTarget.value)}
                error={entry.problem}
                autoComplete="off"
                spellCheck={false}
              />
              <TextInput
                label={withUnit('The reference said')}
                description="at the same moment"
                inputMode="decimal"
                value={draft.reference[place] ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  const [one, other] = draft.reference;
                  set({ reference: place === 0 ? [value, other] : [one, value] });
                }}
                error={
                  problems[place === 0 ? 'first-reference' : 'second-reference'] ??
                  (place === 1 ? refused : null)
                }
                autoComplete="off"
              />
            </SimpleGrid>
          ))}
        </Stack>
      );
    case 'table':
      return (
        <div>
          <Textarea
            label="Table of the certificate"
            description="Pasted: a pair of numbers a line, with tabs, semicolons or blanks between; 20,1 is read as 20.1."
            placeholder={'0,1\t0,0\n20,3\t20,0'}
            value={draft.table}
            onChange={(event) => set({ table: event.currentTarget.value })}
            error={problems.table ?? refused}
            autosize
            minRows={3}
            maxRows={8}
            spellCheck={false}
            data-autofocus
          />
          <Group gap="sm" mt={6}>
            <Text size="sm">First column</Text>
            <SegmentedControl
              size="xs"
              aria-label="First column"
              value={draft.first}
              onChange={(first) => set({ first })}
              data={[
                { value: 'reading', label: 'Reading' },
                { value: 'true', label: 'True value' },
              ]}
            />
          </Group>
        </div>
      );
  }
}
