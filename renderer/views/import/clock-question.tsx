import { useEffect, useState } from 'react';
import type { Doubt, Examination } from '#shared/operations/records/records.ts';
import { dataOf } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
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
  const outcome = (zone: string) => {
    const made = zone === current && report.state === 'read' ? report.found : found[zone];
    return made && <Outcome found={made} />;
  };
  return <Doubts doubts={[doubt]} choices={inspected.choices} onChange={onChange} outcome={outcome} />;
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
