import { useEffect, useState } from 'react';
import type { Doubt, Examination } from '#shared/operations/records/records.ts';
import { dataOf } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { durationText } from '../../components/facts/duration-words.ts';
import { countOf } from '../../format.ts';
import { Doubts } from '../../import/doubts.tsx';
import { readingOf, type FileItem } from '../../import/files/file-items.ts';
import type { ImportChoices } from '../../import/import-choices.ts';
import type { Inspected } from '../../import/files/import-sample.ts';
import { Gaps, StepsBack } from './gaps.tsx';

interface ClockQuestionProps {
  readonly item: FileItem;
  readonly inspected: Inspected;
  readonly doubt: Doubt;
  readonly onChange: (choices: ImportChoices) => void;
}

/** Bytes of a file that is read once more for each answer. */
const MOST_BYTES = 64 << 20;

/** Whether a logger's clock was changed, and what each answer makes of the file: the right one leaves no gap, and no step back. */
export function ClockQuestion({ item, inspected, doubt, onChange }: ClockQuestionProps) {
  const { file, report } = item;
  const [found, setFound] = useState<Readonly<Record<string, Examination>>>({});
  // The first answer counts: the report on the whole file is of it.
  const [current = '', ...others] = doubt.options;
  const asked = JSON.stringify([readingOf(item), others]);
  const isRead = report.state === 'read';
  useEffect(() => {
    const given = new AbortController();
    const [reading, zones] = JSON.parse(asked) as [
      NonNullable<ReturnType<typeof readingOf>>,
      readonly string[],
    ];
    const readAll = async () => {
      setFound({});
      for (const zone of zones) {
        const options = { signal: given.signal, onProgress: () => {} };
        const envelope = await bridge.upload('records.examine', { ...reading, zone }, file, options);
        setFound((before) => ({ ...before, [zone]: dataOf(envelope) }));
      }
    };
    // Of an answer by which the file cannot be read nothing is said; who chooses it is told why.
    if (isRead && file.size <= MOST_BYTES) readAll().catch(() => {});
    return () => given.abort();
  }, [asked, file, isRead]);
  const madeBy = (zone: string) =>
    zone === current ? (report.state === 'read' ? report.found : undefined) : found[zone];
  const alike = alikeWords(doubt.options.map(madeBy));
  const outcome = (zone: string) => {
    const made = madeBy(zone);
    return made && <Outcome found={made} />;
  };
  return (
    <Doubts
      doubts={[doubt]}
      choices={inspected.choices}
      onChange={onChange}
      {...(alike === null ? { outcome } : { alike })}
    />
  );
}

/** What each answer makes of the file, where all make the same of it; null before that is known. */
function alikeWords(all: readonly (Examination | undefined)[]): string | null {
  const words = all.map(
    (made) =>
      made &&
      [
        made.gaps === 0 ? 'no gaps' : countOf(made.gaps, 'gap'),
        made.longest_gap_us !== null && `the longest ${durationText(made.longest_gap_us / 1e6)}`,
        made.repeated > 0 && countOf(made.repeated, 'repeated time'),
        made.steps_back > 0 && countOf(made.steps_back, 'step back', 'steps back'),
      ]
        .filter((part) => typeof part === 'string')
        .join(', '),
  );
  const [first] = words;
  return first !== undefined && words.every((one) => one === first) ? `With each of them: ${first}` : null;
}

/** Gaps, times that come again and steps back. */
function Outcome({ found }: { readonly found: Examination }) {
  return (
    <>
      <Gaps found={found} none="no gaps" />
      {found.repeated > 0 && ` · ${countOf(found.repeated, 'repeated time')}`}
      <StepsBack found={found} />
    </>
  );
}
