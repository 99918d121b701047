import { Text } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { useState, type PropsWithChildren } from 'react';
import { countOf } from '../../format.ts';
import type { Picture } from '../draw/picture.ts';
import { isSameSpan, type TimeSpan } from '../time/window.ts';
import type { Counting } from './counted.ts';
import type { RatesByKey } from './rated-picture.ts';

interface RatesNoteProps {
  readonly rates: RatesByKey;
  readonly counting: Counting;
  readonly labelOf: (key: string) => string;
  readonly picture: Picture | null;
  readonly window: TimeSpan;
  /** Records in sight. */
  readonly records: number;
}

/** What is to be known of differences in sight: where a counter wrapped or began anew, and why there may be none. */
export function RatesNote({ rates, counting, labelOf, picture, window, records }: RatesNoteProps) {
  if (rates.size === 0) return null;
  const { isUnderWay, problem, isOffered } = counting;
  const whyNot = isOffered ? problem : 'This service does not take differences of so many records.';
  if (picture?.kind === 'series' && whyNot !== null)
    return <Note>{whyNot} Zoom in to at most 50,000 records: of these the window takes them itself.</Note>;
  if (picture?.kind === 'series' && isUnderWay)
    return (
      <Patiently>
        <Note>
          Reading all of the {countOf(records, 'record')} in sight for their differences: how often a counter
          fell, nothing less tells. A shorter span is there sooner.
        </Note>
      </Patiently>
    );
  const lines = [...rates].flatMap(([key, found]) => {
    if (found === null) return [];
    const [wraps, resets] =
      'values' in found
        ? [found.wraps, found.resets].map((rows) => countIn(rows, picture, window))
        : isSameSpan(found.span, window)
          ? [found.wraps, found.resets]
          : [0, 0];
    const said = [wraps && countOf(wraps, 'wrap'), resets && countOf(resets, 'reset')].filter(Boolean);
    return said.length > 0 ? `${labelOf(key)}: ${said.join(', ')} in sight.` : [];
  });
  return lines.length === 0 ? null : <Note>{lines.join(' ')}</Note>;
}

function Note({ children }: PropsWithChildren) {
  return (
    <Text size="xs" c="dimmed" role="note" data-testid="rates-note">
      {children}
    </Text>
  );
}

const PATIENCE_MS = 300;

/** Shows itself after a while: most spans are read before. */
function Patiently({ children }: PropsWithChildren) {
  const [isDue, setIsDue] = useState(false);
  useTimeout(() => setIsDue(true), PATIENCE_MS, { autoInvoke: true });
  return isDue && children;
}

function countIn(rows: readonly number[], picture: Picture | null, { from, to }: TimeSpan): number {
  if (picture?.kind !== 'records') return 0;
  const { timestamps } = picture.view;
  return rows.filter((row) => (timestamps[row] ?? 0) >= from && (timestamps[row] ?? 0) <= to).length;
}
