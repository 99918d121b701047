import type { Drawing } from '../draw/line.ts';
import type { TimeSpan } from '../time/window.ts';

/* Lines of several devices under one clock: each device's times are moved by so many µs. */

export type Align = 'time' | 'start';

/** How far each device is moved: by hand, and from its own beginning to the first device's where that is asked for. */
export function offsetsOf(
  devices: readonly { readonly whole: TimeSpan | null; readonly shift: number }[],
  align: Align,
): readonly number[] {
  const origin = devices.find(({ whole }) => whole !== null)?.whole?.from ?? 0;
  return devices.map(({ whole, shift }) => shift + (align === 'start' && whole ? origin - whole.from : 0));
}

/** All time that any of them has, as it is shown; null while none is known. */
export function wholeOf(
  devices: readonly { readonly whole: TimeSpan | null }[],
  offsets: readonly number[],
): TimeSpan | null {
  const spans = devices.flatMap(({ whole }, index) => (whole ? shiftedBy(whole, offsets[index] ?? 0) : []));
  if (spans.length === 0) return null;
  return {
    from: Math.min(...spans.map(({ from }) => from)),
    to: Math.max(...spans.map(({ to }) => to)),
  };
}

export function shiftedBy({ from, to }: TimeSpan, offset: number): TimeSpan {
  return { from: from + offset, to: to + offset };
}

/** What a device is asked for of a window of its own time: as much as it has; null, which is all of it, where it has none. */
export function askedOf(window: TimeSpan, whole: TimeSpan | null): TimeSpan | null {
  if (!whole) return null;
  const from = Math.max(window.from, whole.from);
  const to = Math.min(window.to, whole.to);
  return from < to ? { from, to } : null;
}

/** Lines moved in time. */
export function moved(drawing: Drawing, offset: number): Drawing {
  if (offset === 0) return drawing;
  return drawing.map((line) => ({ ...line, times: line.times.map((time) => time + offset) }));
}
