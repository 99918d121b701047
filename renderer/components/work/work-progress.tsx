import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatDuration } from '../../format.ts';

interface WorkProgressProps {
  readonly label: string;
  readonly done: number;
  /** Null while it is not known: the bar then moves without a length. */
  readonly total: number | null;
  /** Writes an amount: bytes or records. */
  readonly format: (amount: number) => string;
  readonly onCancel?: () => void;
}

/** Long work: how far, how fast, how long still, and a way out. */
export function WorkProgress({ label, done, total, format, onCancel }: WorkProgressProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // What was pressed is gone or cannot be pressed now; "Cancel" is the next stop from here.
    const { activeElement } = document;
    if (activeElement === null || activeElement === document.body) frame.current?.focus();
  }, []);
  const rate = useRate(done);
  const left = rate > 0 && total !== null ? (total - done) / rate : null;
  const percent = total ? Math.min(100, (done / total) * 100) : 100;
  return (
    <Stack gap={6} ref={frame} tabIndex={-1} style={{ outline: 'none' }}>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {onCancel && (
          <Button size="compact-sm" variant="default" onClick={onCancel}>
            Cancel
          </Button>
        )}
      </Group>
      <Progress value={percent} animated={total === null} aria-label={label} size="sm" />
      <Text size="xs" c="dimmed" style={{ fontVariantNumeric: 'tabular-nums' }}>
        {total === null ? format(done) : `${format(done)} of ${format(total)}`}
        {rate > 0 && ` · ${format(rate)}/s`}
        {left !== null && left > 1 && ` · ${formatDuration(left)} left`}
      </Text>
    </Stack>
  );
}

const RATE_EVERY_MS = 500;

/** Amount a second since the work was first seen, looked at now and then; 0 until it can be said. */
function useRate(done: number): number {
  const [rate, setRate] = useState(0);
  const latest = useEffectEvent(() => done);
  useEffect(() => {
    const begun = { at: performance.now(), done: latest() };
    const timer = setInterval(() => {
      const seconds = (performance.now() - begun.at) / 1000;
      setRate(Math.round((latest() - begun.done) / seconds));
    }, RATE_EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  return rate;
}
