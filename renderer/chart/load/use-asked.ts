import { useEffect, useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';
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

interface Asked<Of, T> {
  /** What was answered last; it stays until the next answer. */
  readonly answer: Answer<Of, T> | null;
  /** Why there is none, in words for people; null where nothing is wrong. */
  readonly problem: string | null;
}

const NOTHING: Asked<never, never> = { answer: null, problem: null };

type Read<Of, T> = (question: Question<Of>, signal: AbortSignal) => Promise<T>;

/**
 * Asks whenever the question or `version` is another one; null asks nothing. `read` is the same for as long as the component
 * lives.
 */
export function useAsked<Of, T>(
  question: Question<Of> | null,
  version: string,
  read: Read<Of, T>,
): Asked<Of, T> {
  const [asked, setAsked] = useState<Asked<Of, T>>(NOTHING);
  const [asker] = useState(() => createAsker(read, setAsked));
  const text = question && JSON.stringify(question);
  useEffect(() => asker.ask(text, version), [asker, text, version]);
  useEffect(() => () => asker.stop(), [asker]);
  return asked;
}

/**
 * Asks for the latest question, one at a time. One that is under way is given up for another window, but not for one that
 * only grew: while records come in, no answer would ever be waited for.
 */
function createAsker<Of, T>(read: Read<Of, T>, show: (asked: Asked<Of, T>) => void) {
  let latest: Question<Of> | null = null;
  /** What was answered last. */
  let shown: Question<Of> | null = null;
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
      show({ answer: { to: asked, value: await read(asked, signal) }, problem: null });
      shown = asked;
    } catch (error) {
      // An answer of another span would be wrong.
      if (!signal.aborted && !grewFrom(shown, asked)) show({ answer: null, problem: messageOf(error) });
    }
  });

  return {
    ask(text: string | null, version: string): void {
      const asked = text === null ? null : (JSON.parse(text) as Question<Of>);
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

function grewFrom(before: Question<unknown> | null, after: Question<unknown> | null): boolean {
  if (!before || !after) return false;
  const isSame = JSON.stringify(before.of) === JSON.stringify(after.of);
  return isSame && before.window.from === after.window.from && before.window.to <= after.window.to;
}
