import { oneInFlight } from '../../bridge/one-in-flight.ts';
import type { TimeSpan } from '../time/window.ts';

/** Before it asks: the picture goes first, and a window that is still being moved is not asked for. */
const REST_MS = 250;

/** What the service is asked of a window, whose records it may have to read one by one. */
export interface Question<Of> {
  readonly of: Of;
  readonly window: TimeSpan;
}

export interface Answer<Of, T> {
  readonly to: Question<Of>;
  readonly value: T;
}

/** Outcome of a question: an answer, or why there is none. */
type Outcome<Of, T> =
  | { readonly answer: Answer<Of, T>; readonly error: null }
  | { readonly answer: null; readonly error: unknown };

export type Read<Of, T> = (question: Question<Of>, signal: AbortSignal) => Promise<T>;

/**
 * Asks for the latest question, one at a time. A read under way is given up for another window, but not for one that only grew or
 * moved on: while records come in, no answer would ever be waited for.
 */
export function createAsker<Of, T>(read: Read<Of, T>, show: (outcome: Outcome<Of, T>) => void) {
  let latest: Question<Of> | null = null;
  /** Question of the latest answer. */
  let shown: Question<Of> | null = null;
  /** The latest question and its version; the same of what was asked last. */
  let known = '';
  let begun = '';
  let underWay = new AbortController();
  let movedAt = 0;

  const answer = oneInFlight(async () => {
    do await new Promise((resolve) => setTimeout(resolve, REST_MS));
    while (performance.now() - movedAt < REST_MS);
    const asked = latest;
    if (!asked || begun === known) return;
    begun = known;
    underWay = new AbortController();
    const { signal } = underWay;
    try {
      show({ answer: { to: asked, value: await read(asked, signal) }, error: null });
      shown = asked;
    } catch (error) {
      // An answer of another span would be wrong.
      if (!signal.aborted && !grewFrom(shown, asked)) show({ answer: null, error });
    }
  });

  return {
    ask(text: string | null, version: string): void {
      const asked = text === null ? null : (JSON.parse(text) as Question<Of>);
      const isKnown = known === `${version} ${text}`;
      if (isKnown) return;
      known = `${version} ${text}`;
      if (!wentOn(latest, asked)) {
        begun = '';
        underWay.abort();
        movedAt = performance.now();
      }
      latest = asked;
      if (asked) answer();
    },
    stop(): void {
      latest = null;
      known = '';
      begun = '';
      underWay.abort();
    },
  };
}

type Earlier = Question<unknown> | null;

function grewFrom(before: Earlier, after: Earlier): boolean {
  return wentOn(before, after) && before?.window.from === after?.window.from;
}

/** Whether a window grew or moved on by less than half of its length, as one does that ends with the newest record. */
function wentOn(before: Earlier, after: Earlier): boolean {
  if (!before || !after || JSON.stringify(before.of) !== JSON.stringify(after.of)) return false;
  const { from, to } = before.window;
  const moved = after.window.from - from;
  return moved >= 0 && moved <= (to - from) / 2 && after.window.to >= to;
}
