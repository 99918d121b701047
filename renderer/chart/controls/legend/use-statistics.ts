import { useEffect, useState } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatMicros } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import { oneInFlight } from '../../../bridge/one-in-flight.ts';
import { isSameSpan, type TimeSpan } from '../../time/window.ts';

/** Before it asks: the picture goes first, and a window that is still being moved is not asked for. */
const REST_MS = 250;

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly keys: readonly string[];
  readonly view: View;
  /** Null: nothing is asked. */
  readonly window: TimeSpan | null;
  /** Changes whenever the device has other records, or other corrections. */
  readonly version: string;
}

type Figures = ReadonlyMap<string, KeyStatistics>;

/** What the numbers of each key in a window come to, by key; what was known stays until more is. */
export function useStatistics(asked: Asked): Figures {
  return useAnswer(asked).figures;
}

/** The same of a span that is selected; null without one, and until its own figures are known. */
export function useStatisticsOfSelection(asked: Asked): Figures | null {
  const { figures, of } = useAnswer(asked);
  const { window } = asked;
  return window !== null && of !== null && isSameSpan(of, window) ? figures : null;
}

function useAnswer({ project_id, device_id, keys, view, window, version }: Asked): Answer {
  const [answer, setAnswer] = useState<Answer>(NO_ANSWER);
  const [asker] = useState(() => createAsker(setAnswer));
  const question =
    window && keys.length > 0 ? JSON.stringify([project_id, device_id, keys, view, window]) : null;
  useEffect(() => asker.ask(question, version), [asker, question, version]);
  useEffect(() => () => asker.stop(), [asker]);
  return answer;
}

interface Answer {
  readonly figures: Figures;
  readonly of: TimeSpan | null;
}

const NO_ANSWER: Answer = { figures: new Map(), of: null };

type Question = readonly [
  project_id: string,
  device_id: string,
  keys: readonly string[],
  view: View,
  window: TimeSpan,
];

/**
 * Asks for the latest question, one at a time. One that is under way is given up for another window, but not for one that
 * only grew: while records come in, no answer would ever be waited for.
 */
function createAsker(show: (answer: Answer) => void) {
  let latest: Question | null = null;
  /** What the figures that are shown are of. */
  let shown: Question | null = null;
  let known = '';
  let underWay = new AbortController();
  let movedAt = 0;

  const answer = oneInFlight(async () => {
    do await new Promise((resolve) => setTimeout(resolve, REST_MS));
    while (performance.now() - movedAt < REST_MS);
    const asked = latest;
    if (!asked) return;
    underWay = new AbortController();
    const { signal } = underWay;
    try {
      show({ figures: await read(asked, signal), of: asked[4] });
      shown = asked;
    } catch {
      // What is wrong with the service is said elsewhere; figures of another span would be wrong.
      if (!signal.aborted && !grewFrom(shown, asked)) show(NO_ANSWER);
    }
  });

  return {
    ask(text: string | null, version: string): void {
      const asked = text === null ? null : (JSON.parse(text) as Question);
      const isKnown = known === `${version} ${text}`;
      if (isKnown) return;
      known = `${version} ${text}`;
      if (!grewFrom(latest, asked)) {
        underWay.abort();
        movedAt = performance.now();
      }
      latest = asked;
      if (asked) answer();
    },
    stop(): void {
      latest = null;
      known = '';
      underWay.abort();
    },
  };
}

function grewFrom(before: Question | null, after: Question | null): boolean {
  if (!before || !after) return false;
  const isSame = JSON.stringify(before.slice(0, 4)) === JSON.stringify(after.slice(0, 4));
  return isSame && before[4].from === after[4].from && before[4].to <= after[4].to;
}

async function read(question: Question, signal: AbortSignal): Promise<Figures> {
  const [project_id, device_id, keys, view, { from, to }] = question;
  const span = { start: formatMicros(Math.round(from)), end: formatMicros(Math.round(to)) };
  const request = { project_id, device_id, ...span, keys: keys.join(','), view };
  const found = await ask('statistics.get', request, { signal });
  return new Map(found.map((one) => [one.key, one]));
}
