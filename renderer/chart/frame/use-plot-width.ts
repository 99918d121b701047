import { useLayoutEffect, useRef, useState } from 'react';
import { widestPlot } from '../plot/axes.ts';

/**
 * How wide the plot in a frame is, in pixels of the screen: what it tells itself once it is drawn, until then what there is
 * room for, so that what is read for it meanwhile fits. 0 before the first layout.
 */
export function usePlotWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (frame.current) setWidth(widestPlot(frame.current));
  }, []);
  return { frame, width, setWidth };
}
