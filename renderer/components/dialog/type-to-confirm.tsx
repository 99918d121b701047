import { TextInput } from '@mantine/core';
import { useState } from 'react';

/** More records than that are not removed by a click alone, although they can be had back. */
export const MANY_RECORDS = 1_000_000;

interface Typed {
  readonly typed: string;
  readonly onType: (typed: string) => void;
  /** Whether it is the word; white space around it does not count. */
  readonly isRight: boolean;
}

/** Word to be typed before a large or permanent delete. */
export function useTyped(word: string): Typed {
  const [typed, onType] = useState('');
  return { typed, onType, isRight: typed.trim() === word.trim() };
}

interface TypeToConfirmProps extends Typed {
  readonly label: string;
  readonly word: string;
}

export function TypeToConfirm({ label, word, typed, onType }: TypeToConfirmProps) {
  return (
    <TextInput
      label={label}
      description={word}
      styles={{ description: { fontWeight: 600, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' } }}
      value={typed}
      onChange={(event) => onType(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      data-autofocus
    />
  );
}
