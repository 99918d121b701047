import { useCallback } from 'react';
import type { OutputOf } from '#shared/operations/index.ts';
import { ask } from '../bridge/ask.ts';
import { useRead } from '../components/work/use-read.ts';
import type { ExportInput } from './export-choices.ts';

export type Estimate = OutputOf<'records.estimate'>;

interface EstimateRead {
  /** Null until it is read of these choices. */
  readonly estimate: Estimate | null;
  readonly error: string | null;
  readonly retry: () => void;
}

/** Estimate of an export, updated with the choices. */
export function useEstimate(input: ExportInput): EstimateRead {
  // As text, so that the same choices are not asked again.
  const question = JSON.stringify(input);
  const read = useCallback(async () => {
    const estimate = await ask('records.estimate', JSON.parse(question) as ExportInput);
    return { of: question, estimate };
  }, [question]);
  const { value, error, retry } = useRead(read);
  return { estimate: value?.of === question ? value.estimate : null, error, retry };
}
