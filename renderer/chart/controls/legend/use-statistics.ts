import type { View } from '#shared/domain/corrections.ts';
import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatMicros } from '#shared/values/time.ts';
import { ask } from '../../../bridge/ask.ts';
import type { Answer, Question } from '../../load/asker.ts';
import { useAsked } from '../../load/use-asked.ts';
import { isSameSpan, type TimeSpan } from '../../time/window.ts';

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
const NO_FIGURES: Figures = new Map();

/** What the numbers of each key in a window come to, by key; what was known stays until more is. */
export function useStatistics(asked: Asked): Figures {
  return useAnswer(asked)?.value ?? NO_FIGURES;
}

/** The same of a span that is selected; null without one, and until its own figures are known. */
export function useStatisticsOfSelection(asked: Asked): Figures | null {
  const answer = useAnswer(asked);
  const { window } = asked;
  return window !== null && answer !== null && isSameSpan(answer.to.window, window) ? answer.value : null;
}

type Of = readonly [project_id: string, device_id: string, keys: readonly string[], view: View];

function useAnswer({
  project_id,
  device_id,
  keys,
  view,
  window,
  version,
}: Asked): Answer<Of, Figures> | null {
  const of: Of = [project_id, device_id, keys, view];
  const question = window && keys.length > 0 ? { of, window } : null;
  // What is wrong with the service is said elsewhere.
  return useAsked(question, version, read).answer;
}

async function read({ of, window }: Question<Of>, signal: AbortSignal): Promise<Figures> {
  const [project_id, device_id, keys, view] = of;
  const { from, to } = window;
  const span = { start: formatMicros(Math.round(from)), end: formatMicros(Math.round(to)) };
  const request = { project_id, device_id, ...span, keys: keys.join(','), view };
  const found = await ask('statistics.get', request, { signal });
  return new Map(found.map((one) => [one.key, one]));
}
