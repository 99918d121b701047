import { useEffect, useState, type RefObject } from 'react';

/** Pixels around what is in sight in which widgets are loaded, too. */
const AROUND = '200px';

/** Whether an element is in sight, or nearly. */
export function useSeen(ref: RefObject<HTMLElement | null>): boolean {
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)?.isIntersecting ?? false), {
      root: element.closest('[data-dashboard]'),
      rootMargin: AROUND,
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return isSeen;
}
