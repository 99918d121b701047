import { formatMicros } from '#shared/values/time.ts';
import {
  rangeOf,
  showsOfLayout,
  textOfLayout,
  type TableShows,
  type WidgetPlace,
} from '#shared/domain/dashboard.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import { viewOf } from '../../../chart/controls/range-menu.tsx';
import { spanOfRange } from '../../../chart/time/range.ts';
import { formatTime, type Zone } from '../../../time.ts';
import { rangeOfSeconds } from '../widget/use-span.ts';

/** A device of a widget, and its keys. */
export interface DraftSource {
  readonly device_id: string;
  readonly keys: readonly string[];
}

/** A widget as it is entered. */
export interface WidgetDraft {
  readonly title: string;
  readonly type: string;
  readonly sources: readonly DraftSource[];
  readonly text: string;
  readonly shows: TableShows;
  /** `dashboard`, a range up to now, or `fixed`. */
  readonly range: string;
  readonly from: string;
  readonly to: string;
}

const NO_SOURCE: DraftSource = { device_id: '', keys: [] };

export function draftOf(widget: Widget | undefined, zone: Zone): WidgetDraft {
  const { title = '', type = 'chart', sources = [], layout = {} } = widget ?? {};
  const byDevice = Map.groupBy(sources, ({ device_id }) => device_id);
  const own = [...byDevice].map(([device_id, of]) => ({ device_id, keys: of.map(({ key }) => key) }));
  return {
    title,
    type,
    sources: own.length > 0 ? own : [NO_SOURCE],
    text: textOfLayout(layout),
    shows: showsOfLayout(layout),
    ...draftRange(widget, zone),
  };
}

function draftRange(widget: Widget | undefined, zone: Zone): Pick<WidgetDraft, 'range' | 'from' | 'to'> {
  const asDashboard = { range: 'dashboard', from: '', to: '' };
  try {
    const own = widget ? rangeOf(widget.range) : null;
    if (own === null) return asDashboard;
    if ('last_s' in own) return { range: rangeOfSeconds(own.last_s), from: '', to: '' };
    return { range: 'fixed', from: formatTime(own.start, zone), to: formatTime(own.end, zone) };
  } catch {
    // One that is wrong is entered anew.
    return asDashboard;
  }
}

/** Fault of a source, which has its place among them. */
export interface SourceProblem {
  readonly field: 'device' | 'keys';
  readonly place: number;
  readonly text: string;
}

export type DraftProblem = { readonly field: 'title' | 'from' | 'to'; readonly text: string } | SourceProblem;

type Fields = Pick<Widget, 'title' | 'type' | 'sources' | 'layout' | 'range'>;

/** The fields of the widget that was entered; `former` keeps its place and what else its layout has. */
export function fieldsOf(
  draft: WidgetDraft,
  former: Widget | undefined,
  { place, zone }: { readonly place: WidgetPlace; readonly zone: Zone },
): { readonly fields: Fields } | { readonly problem: DraftProblem } {
  const { type, text, shows } = draft;
  const title = draft.title.trim();
  if (title === '') return { problem: { field: 'title', text: 'Enter a title.' } };
  const hasSources = type !== 'text' && type !== 'alarms';
  const lack = hasSources ? lackIn(draft.sources, former) : null;
  if (lack !== null) return { problem: lack };
  const range = rangeIn(draft, zone);
  if ('problem' in range) return range;
  const { text: _text, shows: _shows, ...kept } = former?.layout ?? {};
  return {
    fields: {
      title,
      type,
      sources: hasSources
        ? draft.sources.flatMap(({ device_id, keys }) =>
            device_id === '' ? [] : keys.map((key) => ({ device_id, key })),
          )
        : [],
      layout: {
        ...(former ? kept : { ...place }),
        ...(type === 'text' && { text }),
        ...(type === 'table' && shows === 'records' && { shows }),
      },
      range: range.range,
    },
  };
}

/** The first source that has a device or keys alone; where there is none at all, the first one, unless it was so before. */
function lackIn(sources: readonly DraftSource[], former: Widget | undefined): SourceProblem | null {
  const isNone = sources.every(({ device_id, keys }) => device_id === '' && keys.length === 0);
  if (isNone && former?.sources.length === 0) return null;
  const place = isNone
    ? 0
    : sources.findIndex(({ device_id, keys }) => (device_id === '') !== (keys.length === 0));
  const lacking = sources[place];
  if (!lacking) return null;
  return lacking.device_id === ''
    ? { field: 'device', place, text: 'Choose a device.' }
    : { field: 'keys', place, text: 'Choose a key.' };
}

function rangeIn(
  { range, from, to }: WidgetDraft,
  zone: Zone,
): { readonly range: Fields['range'] } | { readonly problem: DraftProblem } {
  if (range === 'dashboard') return { range: {} };
  if (range !== 'fixed') return { range: { last_s: Math.round((spanOfRange(range) ?? 0) / 1e6) } };
  const found = viewOf(from, to, zone);
  if (!('view' in found)) return { problem: found };
  const { window, range: last } = found.view;
  if (window === null) return { range: { last_s: Math.round((spanOfRange(last) ?? 0) / 1e6) } };
  return { range: { start: formatMicros(window.from), end: formatMicros(window.to) } };
}
