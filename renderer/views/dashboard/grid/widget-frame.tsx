import { ActionIcon, Anchor } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { memo, useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { isWidgetType, type WidgetPlace, type WidgetType } from '#shared/domain/dashboard.ts';
import type { Widget } from '#shared/schema/schemas.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { shownName } from '../../../components/facts/shown-name.ts';
import { hrefTo, type Route } from '../../../router.ts';
import type { SettingsOf } from '../../../stores/key-settings.ts';
import type { Zone } from '../../../time.ts';
import type { Span } from '../dashboard-address.ts';
import { spanWords, useSpan } from '../widget/use-span.ts';
import { WidgetBody } from '../widget/widget-body.tsx';
import classes from './grid.module.css';
import { useSeen } from './use-seen.ts';

const TYPE_WORDS: Readonly<Record<WidgetType, string>> = {
  chart: 'chart',
  value: 'last values',
  state: 'states',
  table: 'table',
  alarms: 'alarms',
  text: 'note',
};

export interface FrameHandlers {
  readonly onBegin: (event: PointerEvent<HTMLElement>, id: string, how: 'move' | 'size') => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>, widget: Widget) => void;
  readonly onChange: (widget: Widget) => void;
  readonly onDelete: (widget: Widget) => void;
  /** Called when it comes into sight, and goes. */
  readonly onSeen: (id: string, isSeen: boolean) => void;
}

interface WidgetFrameProps extends FrameHandlers {
  readonly project_id: string;
  readonly widget: Widget;
  readonly place: WidgetPlace;
  /** Below one another, in a window that is too narrow for columns. */
  readonly isNarrow: boolean;
  readonly isEditing: boolean;
  readonly isMoving: boolean;
  readonly span: Span;
  readonly zone: Zone;
  readonly settingsOf: SettingsOf;
  readonly onLook: (window: TimeSpan | null) => void;
}

/** A widget at its place: its title, what it shows, and in edit mode what moves, sizes, changes and deletes it. */
export const WidgetFrame = memo(function WidgetFrame(props: WidgetFrameProps) {
  const { project_id, widget, place, isNarrow, isEditing, isMoving, span, zone, settingsOf, onLook } = props;
  const { onBegin, onKeyDown, onChange, onDelete, onSeen } = props;
  const { id, type } = widget;
  const frame = useRef<HTMLDivElement>(null);
  const isSeen = useSeen(frame);
  useEffect(() => {
    onSeen(id, isSeen);
    return () => onSeen(id, false);
  }, [id, isSeen, onSeen]);
  const { x, y, w, h } = place;
  const own = useSpan(widget, span);
  const title = shownName(widget.title);
  const what = isWidgetType(type) ? TYPE_WORDS[type] : type;
  const route = isEditing ? null : routeOf(project_id, widget);
  return (
    <div
      ref={frame}
      role="group"
      className={classes['frame']}
      aria-label={
        isEditing
          ? `${title}, ${what}. Arrow keys move it, Shift and arrow keys size it, Enter changes it, Delete deletes it.`
          : `${title}, ${what}`
      }
      data-widget={id}
      data-type={type}
      data-place={`${x} ${y} ${w} ${h}`}
      data-editing={isEditing || undefined}
      data-moving={isMoving || undefined}
      {...(isEditing && { tabIndex: 0 })}
      onKeyDown={(event) => isEditing && onKeyDown(event, widget)}
      style={
        isNarrow
          ? { gridRow: `span ${h}` }
          : { gridColumn: `${x + 1} / span ${w}`, gridRow: `${y + 1} / span ${h}` }
      }
    >
      <header
        className={classes['head']}
        onPointerDown={(event) => isEditing && !isNarrow && onBegin(event, id, 'move')}
      >
        <h2 className={classes['title']} dir="auto" title={widget.title}>
          {route ? (
            <Anchor inherit c="inherit" href={hrefTo(route)}>
              {title}
            </Anchor>
          ) : (
            title
          )}
        </h2>
        {own.isOwn && !isEditing && <span className={classes['span']}>{spanWords(own.span, zone)}</span>}
        {isEditing && (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Change ${title}…`}
              onClick={() => onChange(widget)}
            >
              <IconPencil size={16} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="danger"
              aria-label={`Delete ${title}`}
              onClick={() => onDelete(widget)}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </>
        )}
      </header>
      <div
        className={classes['body']}
        {...(!isEditing && isRead(widget) && { tabIndex: 0, role: 'region', 'aria-label': title })}
      >
        {isSeen && (
          <WidgetBody
            project_id={project_id}
            widget={widget}
            span={span}
            zone={zone}
            settingsOf={settingsOf}
            onLook={onLook}
          />
        )}
      </div>
      {isEditing && !isNarrow && (
        <div
          className={classes['corner']}
          data-testid="corner"
          aria-hidden
          onPointerDown={(event) => onBegin(event, id, 'size')}
        />
      )}
    </div>
  );
});

/** Values of one widget that have room without scrolling. */
const FEW_VALUES = 4;

/** Whether it may be longer than its place, with nothing in it that takes the focus: the keyboard then scrolls all of it. */
const isRead = ({ type, sources }: Widget) =>
  type === 'text' || (type === 'value' && sources.length > FEW_VALUES);

/** Where its title leads: to the device of all its sources, or to a comparison of several; null for nowhere. */
function routeOf(project_id: string, { type, sources }: Widget): Route | null {
  const devices = [...new Set(sources.map(({ device_id }) => device_id))];
  const keys = [...new Set(sources.map(({ key }) => key))];
  const [device_id] = devices;
  if (device_id === undefined) return null;
  if (devices.length === 1)
    return {
      screen: 'device',
      project_id,
      device_id,
      tab: 'chart',
      ...(type === 'chart' && { chart: { keys } }),
    };
  return { screen: 'compare', devices, keys };
}
