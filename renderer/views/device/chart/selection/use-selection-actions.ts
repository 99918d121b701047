import { useRef } from 'react';
import { formatMicros } from '#shared/values/time.ts';
import type { Device } from '#shared/schema/schemas.ts';
import type { Views } from '../../../../chart/controls/use-views.ts';
import type { ChartData } from '../../../../chart/load/loader.ts';
import { selected, type TimeSpan } from '../../../../chart/time/window.ts';
import { useMay } from '../../../../bridge/distant.ts';
import { sayDone } from '../../../../components/work/notices.ts';
import { openDialog } from '../../../../stores/dialog.ts';
import type { useCursor } from '../use-cursor.ts';
import type { useSelection } from './use-selection.ts';

interface Asked {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  /** The keys that are shown. */
  readonly keys: readonly string[];
  readonly selection: ReturnType<typeof useSelection>;
  readonly cursor: ReturnType<typeof useCursor>;
  readonly views: Views;
  readonly data: Pick<ChartData, 'whole' | 'window'>;
}

export interface SelectionDoes {
  /** Selects what was dragged over on a plot of so many pixels. */
  readonly drag: (from: number, to: number, width: number) => void;
  /** Takes the cursor a record on, and selects what it goes over. */
  readonly extend: (by: -1 | 1) => void;
  readonly zoom: () => void;
  /** Actions; null where they are not offered. */
  readonly exportIt: (() => void) | null;
  readonly note: (() => void) | null;
  readonly copy: () => void;
  readonly remove: (() => void) | null;
}

/** Actions on a selection, and on making one. */
export function useSelectionActions(asked: Asked): SelectionDoes {
  const { project_id, device, keys, selection, cursor, views, data } = asked;
  const { selection: span, records, select } = selection;
  const anchor = useRef<number | null>(null);
  const mayExport = useMay('records.export');
  const mayNote = useMay('notes.create');
  const mayDelete = useMay('records.delete');
  return {
    drag(from, to, width) {
      const window = data.window ?? data.whole;
      if (window) select(rounded({ from, to }, (window.to - window.from) / width));
    },
    extend(by) {
      const before = cursor.instant ?? cursor.readout?.from ?? null;
      const next = cursor.step(by);
      if (before === null || next === null) return;
      if (span === null || anchor.current === null) anchor.current = Math.round(before);
      select({ from: Math.min(anchor.current, next), to: Math.max(anchor.current, next) });
    },
    zoom() {
      if (!span || !data.whole) return;
      views.look(selected(span.from, span.to, data.whole));
      select(null);
    },
    exportIt: mayExport
      ? () => {
          if (span) openDialog({ kind: 'export', project_id, device, span, keys });
        }
      : null,
    note: mayNote
      ? () => {
          if (span)
            openDialog({ kind: 'note', project_id, device_id: device.id, start: span.from, end: span.to });
        }
      : null,
    copy() {
      if (!span) return;
      const times = `${formatMicros(span.from)} ${formatMicros(span.to)}`;
      void navigator.clipboard.writeText(times).then(() => sayDone('Copied', times));
    },
    remove: mayDelete
      ? () => {
          if (span && records) openDialog({ kind: 'delete-records', project_id, device, span, records });
        }
      : null,
  };
}

const SECOND = 1_000_000;
const MILLISECOND = 1_000;

/** The edges of pixels mean nothing in themselves: as many digits as tell two of them apart. */
function rounded({ from, to }: TimeSpan, pixel: number): TimeSpan {
  const unit = pixel >= 2 * SECOND ? SECOND : pixel >= 2 * MILLISECOND ? MILLISECOND : 1;
  const [start, end] = [Math.round(from / unit) * unit, Math.round(to / unit) * unit];
  return { from: Math.min(start, end), to: Math.max(start, end) };
}
