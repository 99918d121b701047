/** The views that were looked at before and after the present one, as a browser keeps pages. */
export interface History<View> {
  readonly past: readonly View[];
  readonly future: readonly View[];
}

/** Steps that are kept. */
const MOST = 100;

export const NO_HISTORY: History<never> = { past: [], future: [] };

/** After leaving `left` for a view of one's own choice: what was ahead is gone. */
export function visited<View>({ past }: History<View>, left: View): History<View> {
  return { past: [...past, left].slice(-MOST), future: [] };
}

export interface Step<View> {
  readonly history: History<View>;
  readonly view: View;
}

/** A step back from `now`; null where there is none. */
export function back<View>({ past, future }: History<View>, now: View): Step<View> | null {
  const view = past.at(-1);
  return view === undefined ? null : { history: { past: past.slice(0, -1), future: [now, ...future] }, view };
}

/** A step forward again; null where there is none. */
export function forward<View>({ past, future }: History<View>, now: View): Step<View> | null {
  const [view, ...rest] = future;
  return view === undefined ? null : { history: { past: [...past, now], future: rest }, view };
}
