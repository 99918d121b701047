import { useLayoutEffect, useRef, useState } from 'react';
import { back, forward, NO_HISTORY, visited, type History, type Step } from '../time/history.ts';
import { ALL, shifted } from '../time/range.ts';
import type { WheelStep } from '../plot/wheel.ts';
import { pan, zoom, type TimeSpan } from '../time/window.ts';
import type { RangeView } from './range-menu.tsx';

/** Steps of one kind that come so soon after one another are one step of the history. */
const ONE_STEP_MS = 700;

interface Looked {
  readonly view: RangeView;
  /** All there is to see; null while it is not known. */
  readonly whole: TimeSpan | null;
  readonly onView: (view: RangeView) => void;
}

/** Ways from one view of a chart to another, and back. */
export interface Views {
  /** Goes to a view; `kind` joins what is one movement, such as the turns of a wheel. */
  readonly show: (view: RangeView, kind?: string) => void;
  /** Looks at a window; all that there is is no window. */
  readonly look: (window: TimeSpan | null, kind?: string) => void;
  readonly zoomBy: (factor: number, around: number | null, kind?: string) => void;
  readonly panBy: (share: number, kind?: string) => void;
  /** As much time before or after; null where nothing is seen. */
  readonly shift: ((by: -1 | 1) => void) | null;
  readonly back: (() => void) | null;
  readonly forward: (() => void) | null;
}

/** Turns a wheel over a plot of a window that was chosen or is all there is; returns whether there was a use for it. */
export function turnWheel(
  step: Exclude<WheelStep, { kind: 'axis' }>,
  { views, window, isChosen }: { views: Views; window: TimeSpan; isChosen: boolean },
): boolean {
  if (step.kind === 'pan') {
    views.panBy(step.share, 'wheel');
    return isChosen;
  }
  views.zoomBy(step.factor, window.from + step.place * (window.to - window.from), 'wheel');
  // Farther than all there is: the page may scroll.
  return isChosen || step.factor < 1;
}

/** Goes back to the view before; without one to all there is. */
export function stepBack(views: Views): void {
  if (views.back) views.back();
  else views.look(null);
}

export function useViews(looked: Looked): Views {
  const [history, setHistory] = useState<History<RangeView>>(NO_HISTORY);
  const latest = useRef({ ...looked, history, kind: '', at: 0 });
  useLayoutEffect(() => {
    Object.assign(latest.current, looked, { history });
  });

  function show(view: RangeView, kind = ''): void {
    const now = latest.current;
    const isSame = kind !== '' && now.kind === kind && Date.now() - now.at < ONE_STEP_MS;
    const next = isSame ? now.history : visited(now.history, now.view);
    // A wheel may turn twice before anything is drawn anew.
    Object.assign(now, { kind, at: Date.now(), history: next, view });
    setHistory(next);
    now.onView(view);
  }

  function look(window: TimeSpan | null, kind = ''): void {
    const { view, whole } = latest.current;
    const isAll = window === null || (window.from === whole?.from && window.to === whole.to);
    const next = isAll ? null : window;
    if (next !== null || view.window !== null) show({ range: view.range, window: next }, kind);
  }

  function zoomBy(factor: number, around: number | null, kind = ''): void {
    const { view, whole } = latest.current;
    if (!whole) return;
    const window = view.window ?? whole;
    look(zoom(window, factor, around ?? (window.from + window.to) / 2, whole), kind);
  }

  function panBy(share: number, kind = ''): void {
    const { view, whole } = latest.current;
    if (whole) look(pan(view.window ?? whole, share, whole), kind);
  }

  const step = (taken: Step<RangeView> | null) =>
    taken &&
    (() => {
      Object.assign(latest.current, { kind: '', history: taken.history, view: taken.view });
      setHistory(taken.history);
      looked.onView(taken.view);
    });
  const seen = looked.view.window ?? looked.whole;
  const isAll = looked.view.window === null && looked.view.range === ALL;
  return {
    show,
    look,
    zoomBy,
    panBy,
    shift: seen && !isAll ? (by) => show({ range: ALL, window: shifted(seen, by) }) : null,
    back: step(back(history, looked.view)),
    forward: step(forward(history, looked.view)),
  };
}
