import { useEffect, useState } from 'react';
import type { OutputOf } from '#shared/operations/index.ts';
import { ask } from '../bridge/ask.ts';
import type { ExportInput } from './export-choices.ts';

export type Estimate = OutputOf<'records.estimate'>;

/** Estimate of an export, updated with the choices. */
export function useEstimate(input: ExportInput): {
  readonly estimate: Estimate | null;
  readonly error: unknown;
} {
  // As text, so that the same choices are not asked again.
  const question = JSON.stringify(input);
  const [told, setTold] = useState<{
    readonly of: string;
    readonly estimate: Estimate | null;
    readonly error: unknown;
  } | null>(null);
  useEffect(() => {
    let shown = true;
    ask('records.estimate', JSON.parse(question) as ExportInput).then(
      (estimate) => shown && setTold({ of: question, estimate, error: null }),
      (error: unknown) => shown && setTold({ of: question, estimate: null, error }),
    );
    return () => void (shown = false);
  }, [question]);
  return told?.of === question ? told : { estimate: null, error: null };
}
