import { useEffect, useRef, useState } from 'react';

/** Whether what sticks to a lower edge lies over what is above it: the place behind it, where `end` is put, is out of sight. */
export function useIsOver() {
  const end = useRef<HTMLDivElement>(null);
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const element = end.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) =>
      setIsOver(entries.at(-1)?.isIntersecting === false),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { end, isOver };
}
