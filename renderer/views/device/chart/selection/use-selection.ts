import { useCallback, useEffect, useRef, useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { ask, messageOf } from '../../../../bridge/ask.ts';
import type { Edge } from '../../../../chart/plot/overlay/selection-area.tsx';
import type { TimeSpan } from '../../../../chart/time/window.ts';

interface Place {
  readonly project_id: string;
  readonly device_id: string;
  readonly view: View;
  /** Changes whenever the device has other records, or other corrections. */
  readonly version: string;
}

export interface SelectionState {
  readonly selection: TimeSpan | null;
  /** Records in it; null until the service has counted them. */
  readonly records: number | null;
  /** Why they could not be counted, or a next one not be found. */
  readonly problem: string | null;
  readonly select: (span: TimeSpan | null) => void;
  readonly move: (edge: Edge, instant: number) => void;
  /** Takes an edge to the next record before (−1) or after (1). */
  readonly nudge: (edge: Edge, by: -1 | 1) => void;
}

interface Counted {
  readonly of: TimeSpan;
  readonly version: string;
  readonly records: number;
}

/** While an edge is dragged. */
const REST_MS = 80;

/** The span of a device's records that is selected, and how many there are in it. */
export function useSelection({ project_id, device_id, view, version }: Place): SelectionState {
  const [selection, setSelection] = useState<TimeSpan | null>(null);
  const [counted, setCounted] = useState<Counted | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const latest = useRef(selection);
  const nudged = useRef(Promise.resolve());
  const select = useCallback((span: TimeSpan | null) => {
    latest.current = span;
    setSelection(span);
  }, []);

  useEffect(() => {
    if (!selection) return;
    const given = new AbortController();
    const timer = setTimeout(() => {
      void answered(async () => {
        const span = { start: formatMicros(selection.from), end: formatMicros(selection.to) };
        const asked = { project_id, device_id, view, ...span };
        const { records } = await ask('records.count', asked, { signal: given.signal });
        setCounted({ of: selection, version, records });
      }, given.signal).then(setProblem);
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [selection, project_id, device_id, view, version]);

  const move = useCallback(
    (edge: Edge, instant: number) => {
      const { current } = latest;
      if (current) select(withEdge(current, edge, instant));
    },
    [select],
  );
  const nudge = useCallback(
    (edge: Edge, by: -1 | 1) => {
      const step = async () => {
        const { current } = latest;
        if (!current) return;
        const at = current[edge];
        const beyond = by === 1 ? { start: formatMicros(at + 1) } : { end: formatMicros(at - 1) };
        const said = await answered(async () => {
          const { first, last } = await ask('records.count', { project_id, device_id, view, ...beyond });
          const next = parseInstant((by === 1 ? first : last) ?? '');
          // Another span may have been selected meanwhile.
          if (next !== null && latest.current === current) move(edge, next);
        });
        setProblem(said);
      };
      // A key that is held asks again before it is answered: each step begins where the one before it ended.
      nudged.current = nudged.current.then(step);
    },
    [project_id, device_id, view, move],
  );
  const records = counted?.of === selection ? counted.records : null;
  return { selection, records, problem, select, move, nudge };
}

/** Resolves with the error, in words; null for success, or a cancelled call. */
async function answered(work: () => Promise<void>, signal?: AbortSignal): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return signal?.aborted ? null : messageOf(error);
  }
}

/** An edge does not pass the other one. */
function withEdge(span: TimeSpan, edge: Edge, instant: number): TimeSpan {
  return edge === 'from'
    ? { from: Math.min(instant, span.to), to: span.to }
    : { from: span.from, to: Math.max(instant, span.from) };
}
