import { back, NO_HISTORY, visited, type History } from '../../chart/time/history.ts';
import { STEP } from './keyboard.ts';
import { isSameSpan, pan, zoom, type TimeSpan } from '../../chart/time/window.ts';

/** What of a time is looked at, and what was before. */
export class Looking {
  whole: TimeSpan;
  window: TimeSpan;
  #history: History<TimeSpan> = NO_HISTORY;
  readonly #changed: () => void;

  constructor(whole: TimeSpan, window: TimeSpan, changed: () => void) {
    this.whole = whole;
    this.window = window;
    this.#changed = changed;
  }

  get canGoBack(): boolean {
    return this.#history.past.length > 0;
  }

  get isWhole(): boolean {
    return isSameSpan(this.window, this.whole);
  }

  /** Shows another window; answers whether it is another one. */
  go(window: TimeSpan): boolean {
    if (isSameSpan(window, this.window)) return false;
    this.#history = visited(this.#history, this.window);
    this.window = window;
    this.#changed();
    return true;
  }

  zoom(factor: number, around: number): boolean {
    return this.go(zoom(this.window, factor, around, this.whole));
  }

  pan(share: number): boolean {
    return this.go(pan(this.window, share, this.whole));
  }

  /** Moves the window to where an instant is in it, and a little further; one that is seen stays. */
  follow(instant: number): void {
    const { from, to } = this.window;
    const by = instant < from ? instant - from : instant > to ? instant - to : 0;
    if (by !== 0) this.pan(by / (to - from) + Math.sign(by) * STEP);
  }

  back(): void {
    const step = back(this.#history, this.window);
    if (!step) return;
    this.#history = step.history;
    this.window = step.view;
    this.#changed();
  }

  /** As far as the other view of the device reaches; the window stays where both have it. */
  reach(whole: TimeSpan): void {
    const wasWhole = this.isWhole;
    this.whole = whole;
    if (wasWhole) this.window = whole;
    else
      this.window = {
        from: Math.max(whole.from, Math.min(whole.to - 1, this.window.from)),
        to: Math.min(whole.to, Math.max(whole.from + 1, this.window.to)),
      };
  }
}
