import { VisuallyHidden } from '@mantine/core';
import { useEffect, useState } from 'react';

/** Until a cursor that is moved by keys rests: who holds a key down is not told of each record. */
const REST_MS = 350;

/** Live region with the readings at the cursor, for screen readers. */
export function Spoken({ text }: { readonly text: string }) {
  const [said, setSaid] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSaid(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <VisuallyHidden aria-live="polite" aria-atomic data-testid="spoken">
      {said}
    </VisuallyHidden>
  );
}
