import { SimpleGrid, Text, TextInput } from '@mantine/core';
import { spanText } from '../../../../components/facts/span-words.ts';
import type { TimeSpan } from '../../../../chart/time/window.ts';
import type { Zone } from '../../../../time.ts';
import type { TimeEntry } from './use-time-entry.ts';

interface SpanFieldsProps {
  readonly from: TimeEntry;
  readonly to: TimeEntry;
  /** Whether the clock of the device was put right somewhere: then stored times are not those of the chart. */
  readonly isStored: boolean;
  /** What an empty field means, such as "the first record". */
  readonly empty?: { readonly from: string; readonly to: string };
  readonly errors: { readonly from: string | null; readonly to: string | null };
}

/** From when until when a correction holds. */
export function SpanFields({ from, to, isStored, empty, errors }: SpanFieldsProps) {
  const field = (label: string, entry: TimeEntry, error: string | null, nothing: string | undefined) => (
    <TextInput
      label={isStored ? `${label} (time as stored)` : label}
      placeholder={nothing ?? '2026-11-19 18:00'}
      value={entry.text}
      onChange={(event) => entry.set(event.currentTarget.value)}
      error={error}
      autoComplete="off"
      spellCheck={false}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {field('From', from, errors.from, empty?.from)}
      {field('To', to, errors.to, empty?.to)}
    </SimpleGrid>
  );
}

/** Several spans of stored time that one selection showed: a clock was put right between them. */
export function SeveralSpans({ spans, zone }: { readonly spans: readonly TimeSpan[]; readonly zone: Zone }) {
  return (
    <div>
      <Text size="sm">
        What was selected was stored in {spans.length} spans, as the clock of the device was put right there:
      </Text>
      {spans.map(({ from, to }) => (
        <Text key={from} size="sm" c="dimmed">
          {spanText(from, to, zone)}
        </Text>
      ))}
    </div>
  );
}
