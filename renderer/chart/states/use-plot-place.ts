import { useEffect, useState, type RefObject } from 'react';
import type { PlotPlace } from './state-strips.tsx';

/**
 * Where the plot of a chart lies in the frame around it, so that what is below begins and ends with it; null until there is
 * one. A plot says after each painting what it shows (data-view), and that is when its axes may have become wider.
 */
export function usePlotPlace(frame: RefObject<HTMLElement | null>): PlotPlace | null {
  const [place, setPlace] = useState<PlotPlace | null>(null);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => {
      const plot = element.querySelector('.u-over')?.getBoundingClientRect();
      if (!plot || plot.width === 0) return;
      const left = Math.round(plot.left - element.getBoundingClientRect().left);
      const width = Math.round(plot.width);
      setPlace((before) => (before?.left === left && before.width === width ? before : { left, width }));
    };
    const observer = new MutationObserver(measure);
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['data-view'] });
    measure();
    return () => observer.disconnect();
  }, [frame]);
  return place;
}
