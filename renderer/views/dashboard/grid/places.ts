import {
  bottomOf,
  COLUMNS,
  isWidgetType,
  LAST_ROW,
  placeOfLayout,
  type WidgetPlace,
  type WidgetType,
} from '#shared/domain/dashboard.ts';

/* Places of widgets on the grid. A widget stays where it was put, until another one is put there. */

export interface Placed {
  readonly id: string;
  readonly place: WidgetPlace;
}

interface Size {
  readonly w: number;
  readonly h: number;
}

const SIZES: Readonly<Record<WidgetType, Size>> = {
  chart: { w: 6, h: 6 },
  value: { w: 3, h: 3 },
  state: { w: 6, h: 4 },
  table: { w: 6, h: 6 },
  alarms: { w: 4, h: 6 },
  text: { w: 4, h: 3 },
};
const OTHER: Size = { w: 4, h: 3 };
const MOST_ROWS = 100;

/** Size of a widget that nobody has given one. */
export const firstSize = (type: string): Size => (isWidgetType(type) ? SIZES[type] : OTHER);

interface Kept {
  readonly id: string;
  readonly type: string;
  readonly layout: Readonly<Record<string, unknown>>;
}

/**
 * The places of all widgets: those that have one keep it, as far as none lies on another; below them the others stand in rows, in
 * their order.
 */
export function placesOf(widgets: readonly Kept[]): readonly Placed[] {
  const given = widgets.flatMap(({ id, layout }): Placed[] => {
    const place = placeOfLayout(layout);
    return place ? [{ id, place }] : [];
  });
  const settled = settle([], given);
  const has = new Set(settled.map(({ id }) => id));
  let [x, y, rowHeight] = [0, bottomOf(settled.map(({ place }) => place)), 0];
  const flowing = widgets.flatMap(({ id, type }): Placed[] => {
    if (has.has(id)) return [];
    const size = firstSize(type);
    if (x + size.w > COLUMNS) [x, y, rowHeight] = [0, y + rowHeight, 0];
    const place = { x, y, ...size };
    x += size.w;
    rowHeight = Math.max(rowHeight, size.h);
    return [{ id, place }];
  });
  return [...settled, ...flowing];
}

/** The places where one widget is put somewhere: what lies there makes room, above it where there is some, else below. */
export function putAt(all: readonly Placed[], id: string, to: WidgetPlace): readonly Placed[] {
  return settle(
    [{ id, place: to }],
    all.filter((one) => one.id !== id),
  );
}

/** A place of this size near the end of all others. */
export function nextPlace(all: readonly Placed[], size: Size): WidgetPlace {
  const places = all.map(({ place }) => place);
  const bottom = bottomOf(places);
  for (let y = Math.max(0, bottom - size.h); y < bottom; y++)
    for (let x = 0; x + size.w <= COLUMNS; x++)
      if (isFree({ x, y, ...size }, places)) return { x, y, ...size };
  return { x: 0, y: Math.min(LAST_ROW, bottom), ...size };
}

export interface Step {
  readonly x?: number;
  readonly y?: number;
  readonly w?: number;
  readonly h?: number;
}

/** A place that is moved and sized by so many columns and rows, as far as the grid reaches. */
export function stepped({ x, y, w, h }: WidgetPlace, by: Step): WidgetPlace {
  const width = within(w + (by.w ?? 0), 1, COLUMNS - x);
  return {
    x: within(x + (by.x ?? 0), 0, COLUMNS - width),
    y: within(y + (by.y ?? 0), 0, LAST_ROW),
    w: width,
    h: within(h + (by.h ?? 0), 1, MOST_ROWS),
  };
}

export const isSamePlace = (a: WidgetPlace | null, b: WidgetPlace | null) =>
  a?.x === b?.x && a?.y === b?.y && a?.w === b?.w && a?.h === b?.h;

/** Widgets as they are read: line by line, from the left. */
export const inReadingOrder = ({ place: a }: Placed, { place: b }: Placed) => a.y - b.y || a.x - b.x;

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

const overlaps = (a: WidgetPlace, b: WidgetPlace) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

const isFree = (place: WidgetPlace, others: readonly WidgetPlace[]) =>
  !others.some((other) => overlaps(place, other));

/** Puts the others around those that stand, from above: each at its own place, or the nearest below where that is taken. */
function settle(standing: readonly Placed[], others: readonly Placed[]): readonly Placed[] {
  const done = [...standing];
  const taken = standing.map(({ place }) => place);
  const waiting = others.toSorted(inReadingOrder);
  for (const [at, { id, place }] of waiting.entries()) {
    const rest = waiting.slice(at + 1).map((one) => one.place);
    const next = isFree(place, taken)
      ? place
      : (above(place, standing, [...taken, ...rest]) ?? below(place, taken));
    done.push({ id, place: next });
    taken.push(next);
  }
  return done;
}

/** The place right above what was put down there, where nothing lies. */
function above(
  place: WidgetPlace,
  standing: readonly Placed[],
  others: readonly WidgetPlace[],
): WidgetPlace | null {
  const on = standing.find((one) => overlaps(one.place, place));
  if (!on || on.place.y < place.h) return null;
  const next = { ...place, y: on.place.y - place.h };
  return isFree(next, others) ? next : null;
}

function below(place: WidgetPlace, taken: readonly WidgetPlace[]): WidgetPlace {
  let next = place;
  for (;;) {
    const on = taken.find((other) => overlaps(next, other));
    if (!on) return next;
    next = { ...next, y: on.y + on.h };
  }
}
