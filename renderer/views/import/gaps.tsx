import type { Examination } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { durationText } from '../../components/facts/duration-words.ts';
import { Moment } from '../../components/facts/moment.tsx';
import { countOf } from '../../format.ts';

interface FoundProps {
  readonly found: Examination;
}

/** How many gaps a file has, or the words for none, and the longest. */
export function Gaps({
  found: { gaps, longest_gap_us, longest_gap_from },
  none,
}: FoundProps & { readonly none: string }) {
  const from = parseInstant(longest_gap_from ?? '');
  return (
    <>
      {gaps === 0 ? none : countOf(gaps, 'gap')}
      {longest_gap_us !== null && from !== null && (
        <>
          , the longest {durationText(longest_gap_us / 1e6)} from <Moment at={from} />
        </>
      )}
    </>
  );
}

/** How often times step back, behind something else; nothing where they do not. */
export function StepsBack({ found: { steps_back, first_step_back } }: FoundProps) {
  const back = parseInstant(first_step_back ?? '');
  if (steps_back === 0) return null;
  return (
    <>
      {' '}
      · {countOf(steps_back, 'step back', 'steps back')} in time
      {back !== null && (
        <>
          , the first to <Moment at={back} />
        </>
      )}
    </>
  );
}
