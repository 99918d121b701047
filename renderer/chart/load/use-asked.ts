import { useEffect, useState } from 'react';
import { messageOf } from '../../bridge/ask.ts';
import { createAsker, type Answer, type Question, type Read } from './asker.ts';

interface Asked<Of, T> {
  /** The latest answer; it stays until the next one. */
  readonly answer: Answer<Of, T> | null;
  /** Why there is none, in words for people; null where nothing is wrong. */
  readonly problem: string | null;
}

const NOTHING: Asked<never, never> = { answer: null, problem: null };

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
  const [asker] = useState(() =>
    createAsker(read, ({ answer, error }) => setAsked({ answer, problem: answer ? null : messageOf(error) })),
  );
  const text = question && JSON.stringify(question);
  useEffect(() => asker.ask(text, version), [asker, text, version]);
  useEffect(() => () => asker.stop(), [asker]);
  return asked;
}
