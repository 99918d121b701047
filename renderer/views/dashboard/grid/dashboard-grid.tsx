import { VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
} from 'react';
import { bottomOf, COLUMNS, type WidgetPlace } from '#shared/domain/dashboard.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import type { Zone } from '../../../time.ts';
import type { Span } from '../dashboard-address.ts';
import classes from './grid.module.css';
import { inReadingOrder, isSamePlace, putAt, stepped, type Placed, type Step } from './places.ts';
import { GAP, useDrag } from './use-drag.ts';
import { WidgetFrame, type FrameHandlers } from './widget-frame.tsx';

/** Pixels of a row. On a wall all rows share its height, as far as they can be read. */
const ROW = 40;
const LEAST_ROW = 28;
const MOST_ROW = 120;
/** Narrower than this there is one column. */
const NARROW = 560;

interface DashboardGridProps extends Omit<FrameHandlers, 'onBegin' | 'onKeyDown'> {
  readonly project_id: string;
  readonly widgets: readonly Widget[];
  readonly places: readonly Placed[];
  readonly isEditing: boolean;
  readonly isFull: boolean;
  readonly span: Span;
  readonly zone: Zone;
  readonly settingsOf: SettingsOf;
  readonly onLook: (window: TimeSpan | null) => void;
  readonly onPut: (places: readonly Placed[]) => void;
}

/** All widgets at their places. In edit mode pointer and keys move and size them. */
export function DashboardGrid(props: DashboardGridProps) {
  const { project_id, widgets, places, isEditing, isFull, span, zone, settingsOf, onLook, onPut } = props;
  const { onChange, onDelete, onSeen } = props;
  const { ref: sized, width, height } = useElementSize();
  const scroll = useRef<HTMLDivElement>(null);
  const frame = useMergedRef(sized, scroll);
  const [said, setSaid] = useState('');
  const isNarrow = width > 0 && width < NARROW;
  const rows = bottomOf(places.map(({ place }) => place));
  const fitting = (height - (rows - 1) * GAP) / Math.max(1, rows);
  const row = isFull && !isNarrow ? Math.min(MOST_ROW, Math.max(LEAST_ROW, Math.floor(fitting))) : ROW;
  const cell = { width: (width - (COLUMNS - 1) * GAP) / COLUMNS, height: row };
  const { moving, shown, begin } = useDrag({ places, scroll, cell, onPut });
  const drawn = shown ?? places;
  const byId = useMemo(() => new Map(widgets.map((widget) => [widget.id, widget])), [widgets]);
  // The focused widget must not change its place in the document while it is moved.
  const order = useMemo(() => {
    const inOrder = isEditing
      ? [...byId.keys()].toSorted()
      : places.toSorted(inReadingOrder).map(({ id }) => id);
    return inOrder.filter((id) => byId.has(id));
  }, [isEditing, byId, places]);
  const placeOf = useMemo(() => new Map(drawn.map(({ id, place }) => [id, place])), [drawn]);

  const latest = useRef({ places, onPut, onChange, onDelete });
  useLayoutEffect(() => {
    latest.current = { places, onPut, onChange, onDelete };
  });
  const onKeyDown = useCallback((event: KeyboardEvent<HTMLElement>, widget: Widget) => {
    if (event.target !== event.currentTarget || event.altKey || event.ctrlKey || event.metaKey) return;
    const { places: all, ...act } = latest.current;
    const place = all.find(({ id }) => id === widget.id)?.place;
    const by = stepOf(event);
    if (place && by) {
      event.preventDefault();
      const to = stepped(place, by);
      if (isSamePlace(to, place)) return setSaid(`“${widget.title}” stays: the grid ends there.`);
      act.onPut(putAt(all, widget.id, to));
      return setSaid(`“${widget.title}”: ${placeWords(to)}`);
    }
    if (event.key === 'Enter') act.onChange(widget);
    else if (event.key === 'Delete') act.onDelete(widget);
    else return;
    event.preventDefault();
  }, []);

  return (
    <div ref={frame} className={classes['scroll']} data-dashboard data-testid="dashboard">
      <div
        className={classes['grid']}
        data-narrow={isNarrow || undefined}
        data-editing={isEditing || undefined}
        style={{ '--row': `${row}px` } as CSSProperties}
      >
        {order.map((id) => {
          const [widget, place] = [byId.get(id), placeOf.get(id)];
          return (
            widget &&
            place && (
              <WidgetFrame
                key={id}
                project_id={project_id}
                widget={widget}
                place={place}
                isNarrow={isNarrow}
                isEditing={isEditing}
                isMoving={moving === id}
                span={span}
                zone={zone}
                settingsOf={settingsOf}
                onLook={onLook}
                onBegin={begin}
                onKeyDown={onKeyDown}
                onChange={onChange}
                onDelete={onDelete}
                onSeen={onSeen}
              />
            )
          );
        })}
      </div>
      <VisuallyHidden role="status">{said}</VisuallyHidden>
    </div>
  );
}

const MOVES: Readonly<Record<string, Step>> = {
  ArrowLeft: { x: -1 },
  ArrowRight: { x: 1 },
  ArrowUp: { y: -1 },
  ArrowDown: { y: 1 },
};
const SIZES: Readonly<Record<string, Step>> = {
  ArrowLeft: { w: -1 },
  ArrowRight: { w: 1 },
  ArrowUp: { h: -1 },
  ArrowDown: { h: 1 },
};

const stepOf = ({ key, shiftKey }: KeyboardEvent): Step | undefined => (shiftKey ? SIZES : MOVES)[key];

/** `column 3, row 4, 6 wide, 8 high`; counted from 1. */
const placeWords = ({ x, y, w, h }: WidgetPlace) => `column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`;
