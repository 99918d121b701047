import { Button, Group, Text } from '@mantine/core';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { formatSpan } from '../../../format.ts';
import { formatTime, zoneOffset, type Zone } from '../../../time.ts';

interface MarksLineProps {
  readonly a: Micros | undefined;
  readonly b: Micros | undefined;
  readonly zone: Zone;
  readonly onClear: () => void;
}

/** Where the marks stand, and how far they are apart. */
export function MarksLine({ a, b, zone, onClear }: MarksLineProps) {
  if (a === undefined && b === undefined) return null;
  const said = (name: string, at: Micros | undefined) =>
    at !== undefined && (
      <Text span inherit title={formatMicros(at)}>
        <b>{name}</b> {formatTime(at, zone)} {zoneOffset(at, zone)}
      </Text>
    );
  return (
    <Group gap="sm" data-testid="chart-marks">
      {said('A', a)}
      {said('B', b)}
      {a !== undefined && b !== undefined && (
        <Text span inherit>
          Δt {b < a && '−'}
          {formatSpan(Math.abs(b - a))}
        </Text>
      )}
      <Button size="compact-xs" variant="default" onClick={onClear}>
        Clear marks
      </Button>
    </Group>
  );
}
