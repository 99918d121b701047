import { parseInstant } from '../values/time.ts';
import { quote } from '../values/validate.ts';

/*
 * A dashboard: all widgets of a project (docs/dashboards.md). `layout` and `range` of a widget are JSON objects of any shape; of the
 * types below they have the shapes that are here. Both sides read them by this file alone.
 */

export const WIDGET_TYPES = ['chart', 'value', 'state', 'table', 'alarms', 'text'] as const;
export type WidgetType = (typeof WIDGET_TYPES)[number];

/** Widgets of a project, and of a file of them. */
export const MOST_WIDGETS = 10_000;
/** Columns of the grid. */
export const COLUMNS = 12;
/** The lowest row on which a widget begins, and the rows that one is high at most. */
export const LAST_ROW = 9_999;
const MOST_ROWS = 100;
/** Characters of a note. */
export const MOST_TEXT = 20_000;
/** Ten years. */
const MOST_LAST_S = 315_360_000;

/** Place of a widget, in columns and rows of the grid. */
export interface WidgetPlace {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** What a table lists: the last values of its sources, or the newest records of its first device. */
export const TABLE_SHOWS = ['values', 'records'] as const;
export type TableShows = (typeof TABLE_SHOWS)[number];

/** Span of a widget of its own; null: that of the dashboard. */
export type WidgetRange =
  | { readonly last_s: number }
  | { readonly start: number; readonly end: number }
  | null;

type Json = Readonly<Record<string, unknown>>;

/** What is said of a widget by its type. */
interface Shape {
  readonly type: string;
  readonly layout: Json;
  readonly range: Json;
}

export function isWidgetType(type: string): type is WidgetType {
  return (WIDGET_TYPES as readonly string[]).includes(type);
}

/** Whether a type shows nothing without a source. */
export const needsSources = (type: string): boolean =>
  isWidgetType(type) && type !== 'text' && type !== 'alarms';

/** The place that a layout says; null without a place, or with one that is wrong. */
export function placeOfLayout(layout: Json): WidgetPlace | null {
  if (problemOfPlace(layout) !== null || layout['x'] === undefined) return null;
  const { x, y, w, h } = layout;
  return { x, y, w, h } as WidgetPlace;
}

/** The text of a note; empty where there is none. */
export const textOfLayout = ({ text }: Json): string => (typeof text === 'string' ? text : '');

export const showsOfLayout = ({ shows }: Json): TableShows => (shows === 'records' ? 'records' : 'values');

/** The span that a range asks for, in µs; throws what is wrong with it. */
export function rangeOf(range: Json): WidgetRange {
  const problem = problemOfRange(range);
  if (problem !== null) throw new Error(problem);
  if (range['last_s'] !== undefined) return { last_s: Number(range['last_s']) };
  if (range['start'] === undefined) return null;
  return { start: instantOf(range['start']) ?? 0, end: instantOf(range['end']) ?? 0 };
}

/** What is wrong with a widget of a known type, in words; null where nothing is, and of any other type. */
export function problemOfWidget({ type, layout, range }: Shape): string | null {
  if (!isWidgetType(type)) return null;
  return problemOfPlace(layout) ?? problemOfContent(type, layout) ?? problemOfRange(range);
}

const PLACE = { x: [0, COLUMNS - 1], y: [0, LAST_ROW], w: [1, COLUMNS], h: [1, MOST_ROWS] } as const;

function problemOfPlace(layout: Json): string | null {
  const names = ['x', 'y', 'w', 'h'] as const;
  const given = names.filter((name) => layout[name] !== undefined);
  if (given.length === 0) return null;
  for (const name of names) {
    const [least, most] = PLACE[name];
    const value = layout[name];
    const isWhole = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
    if (!isWhole)
      return `layout.${name} must be a whole number from ${least} to ${most}, as layout has all of x, y, w, h or none; got ${shown(value)}`;
  }
  const right = Number(layout['x']) + Number(layout['w']);
  return right > COLUMNS ? `layout.x and layout.w must be at most ${COLUMNS} together, got ${right}` : null;
}

function problemOfContent(type: WidgetType, { text, shows }: Json): string | null {
  if (type === 'text' && text !== undefined && (typeof text !== 'string' || text.length > MOST_TEXT))
    return `layout.text must be text of at most ${MOST_TEXT} characters`;
  const isKnown = shows === undefined || TABLE_SHOWS.some((one) => one === shows);
  return type === 'table' && !isKnown
    ? `layout.shows must be ${TABLE_SHOWS.map((one) => `"${one}"`).join(' or ')}, got ${shown(shows)}`
    : null;
}

function problemOfRange(range: Json): string | null {
  const { last_s, start, end } = range;
  if (last_s !== undefined) {
    if (start !== undefined || end !== undefined)
      return 'range must have last_s, or start and end, or nothing; got both';
    const isSpan =
      typeof last_s === 'number' && Number.isInteger(last_s) && last_s >= 1 && last_s <= MOST_LAST_S;
    return isSpan
      ? null
      : `range.last_s must be whole seconds from 1 to ${MOST_LAST_S}, got ${shown(last_s)}`;
  }
  if (start === undefined && end === undefined) return null;
  for (const [name, value] of [
    ['start', start],
    ['end', end],
  ] as const)
    if (instantOf(value) === null)
      return `range.${name} must be an ISO 8601 time with a zone, as range has both start and end; got ${shown(value)}`;
  return (instantOf(start) ?? 0) < (instantOf(end) ?? 0) ? null : 'range.start must be before range.end';
}

const instantOf = (value: unknown) => (typeof value === 'string' ? parseInstant(value) : null);

const shown = (value: unknown) => (value === undefined ? 'nothing' : quote(value));

/** The first row below all places. */
export const bottomOf = (places: readonly (WidgetPlace | null)[]): number =>
  places.reduce((lowest, place) => Math.max(lowest, place ? place.y + place.h : 0), 0);
