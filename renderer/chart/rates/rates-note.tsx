import { Text } from '@mantine/core';
import { countOf } from '../../format.ts';
import type { Picture } from '../draw/picture.ts';
import type { TimeSpan } from '../time/window.ts';
import type { RatesByKey } from './rated-picture.ts';

interface RatesNoteProps {
  readonly rates: RatesByKey;
  readonly labelOf: (key: string) => string;
  readonly picture: Picture | null;
  readonly window: TimeSpan;
}

/** What is to be known of differences in sight: where a counter wrapped or began anew, and why there may be none. */
export function RatesNote({ rates, labelOf, picture, window }: RatesNoteProps) {
  const lines = [...rates].flatMap(([key, found]) => {
    if (found === null)
      return `${labelOf(key)}: too many records are in sight to take their differences. Zoom in to at most 50,000.`;
    const [wraps, resets] = [found.wraps, found.resets].map((rows) => countIn(rows, picture, window));
    const said = [wraps && countOf(wraps, 'wrap'), resets && countOf(resets, 'reset')].filter(Boolean);
    return said.length > 0 ? `${labelOf(key)}: ${said.join(', ')} in sight.` : [];
  });
  if (lines.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" role="note" data-testid="rates-note">
      {lines.join(' ')}
    </Text>
  );
}

function countIn(rows: readonly number[], picture: Picture | null, { from, to }: TimeSpan): number {
  if (picture?.kind !== 'records') return 0;
  const { timestamps } = picture.view;
  return rows.filter((row) => (timestamps[row] ?? 0) >= from && (timestamps[row] ?? 0) <= to).length;
}
