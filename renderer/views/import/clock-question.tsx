import { useEffect, useState } from 'react';
import type { Doubt, Examination } from '#shared/operations/records.ts';
import { parseInstant } from '#shared/time.ts';
import { dataOf } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { durationText } from '../../components/facts/duration-words.ts';
import { Moment } from '../../components/facts/moment.tsx';
import { countOf } from '../../format.ts';
import { Doubts } from '../../import/doubts.tsx';
import { readingOf, type FileItem } from '../../import/file-items.ts';
import type { ImportChoices, Inspected } from '../../import/import-sample.ts';

interface ClockQuestionProps {
  readonly item: FileItem;
  readonly inspected: Inspected;
  readonly doubt: Doubt;
  readonly onChange: (choices: ImportChoices) => void;
}

/** Bytes of a file that is read once more for each answer. */
const MOST_BYTES = 64 << 20;

/** Whether a logger's clock was changed, and what each answer makes of the file: the right one leaves no gap, and no step back. */
export function ClockQuestion({ item: { file }, inspected, doubt, onChange }: ClockQuestionProps) {
  const [found, setFound] = useState<Readonly<Record<string, Examination>>>({});
  const asked = JSON.stringify([readingOf(inspected), doubt.options]);
  useEffect(() => {
    const given = new AbortController();
    const [reading, zones] = JSON.parse(asked) as [ReturnType<typeof readingOf>, readonly string[]];
    const readAll = async () => {
      setFound({});
      for (const zone of zones) {
        const options = { signal: given.signal, onProgress: () => {} };
        const envelope = await bridge.upload('records.examine', { ...reading, zone }, file, options);
        setFound((before) => ({ ...before, [zone]: dataOf(envelope) }));
      }
    };
    // Where it cannot be read, the report on the whole file says so.
    if (file.size <= MOST_BYTES) readAll().catch(() => {});
    return () => given.abort();
  }, [asked, file]);
  const outcome = (zone: string) => found[zone] && <Outcome found={found[zone]} />;
  return <Doubts doubts={[doubt]} choices={inspected.choices} onChange={onChange} outcome={outcome} />;
}

/** Gaps, times that come again and steps back. */
function Outcome({ found }: { readonly found: Examination }) {
  const { gaps, longest_gap_us, longest_gap_from, steps_back, first_step_back, repeated } = found;
  const from = parseInstant(longest_gap_from ?? '');
  const back = parseInstant(first_step_back ?? '');
  return (
    <>
      {gaps === 0 ? 'no gaps' : countOf(gaps, 'gap')}
      {longest_gap_us !== null && from !== null && (
        <>
          , the longest {durationText(longest_gap_us / 1e6)} from <Moment at={from} />
        </>
      )}
      {repeated > 0 && ` · ${countOf(repeated, 'repeated time')}`}
      {steps_back > 0 && ` · ${countOf(steps_back, 'step back', 'steps back')} in time`}
      {back !== null && (
        <>
          , the first to <Moment at={back} />
        </>
      )}
    </>
  );
}
