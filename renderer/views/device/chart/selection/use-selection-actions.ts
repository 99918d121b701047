import { useRef } from 'react';
import type { CorrectionKind } from '#shared/domain/corrections.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import type { Device } from '#shared/schema/schemas.ts';
import type { Views } from '../../../../chart/controls/use-views.ts';
import type { ChartData } from '../../../../chart/load/loader.ts';
import { selected as selectedWindow, type TimeSpan } from '../../../../chart/time/window.ts';
import { viewOf, type ShownView } from '../../../../chart/view.ts';
import { useMay } from '../../../../bridge/distant.ts';
import { CORRECT_LABELS } from '../../../../components/corrections/correct-labels.ts';
import { sayDone } from '../../../../components/work/notices.ts';
import { openDialog } from '../../../../stores/dialog.ts';
import type { Zone } from '../../../../time.ts';
import type { useCursor } from '../use-cursor.ts';
import type { useSelection } from './use-selection.ts';

interface Asked {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
  /** The keys that are shown. */
  readonly keys: readonly string[];
  readonly zone: Zone;
  readonly shown: ShownView;
  readonly corrections: readonly ShownCorrection[];
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
  /** Puts the clock right by so many µs; null where nothing is selected, or to be corrected. */
  readonly shift: ((shift_us: number) => void) | null;
  /** What can be put right of the selection. */
  readonly correct: readonly { readonly label: string; readonly run: () => void }[];
  readonly copy: () => void;
  readonly remove: (() => void) | null;
  /** Why nothing is deleted here, where it could be else. */
  readonly whyNoRemove: string | null;
}

/** Actions on a selection, and on making one. */
export function useSelectionActions(asked: Asked): SelectionDoes {
  const { project_id, device, keys, zone, shown, corrections, selection, cursor, views, data } = asked;
  const { selection: span, records, select } = selection;
  const anchor = useRef<number | null>(null);
  const mayExport = useMay('records.export');
  const mayNote = useMay('notes.create');
  const mayDelete = useMay('records.delete');
  const mayCorrect = useMay('corrections.create');
  // What goes is what was stored, and may stand elsewhere, or be of another device.
  const isElsewhere =
    shown !== 'raw' && corrections.some(({ kind }) => kind === 'time' || kind === 'replaced');
  const of = { kind: 'correct', project_id, device, zone, keys } as const;
  const selected = span && { span, view: viewOf(shown) };
  const correct = (what: CorrectionKind) => () => selected && openDialog({ ...of, what, selected });
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
      views.look(selectedWindow(span.from, span.to, data.whole));
      select(null);
    },
    exportIt: mayExport
      ? () => {
          if (span) openDialog({ kind: 'export', project_id, device, span, keys });
        }
      : null,
    note: mayNote
      ? () => {
          if (!selected) return;
          const { from: start, to: end } = selected.span;
          openDialog({ kind: 'note', project_id, device_id: device.id, start, end, view: selected.view });
        }
      : null,
    shift:
      mayCorrect && selected ? (shift_us) => openDialog({ ...of, what: 'time', selected, shift_us }) : null,
    correct: mayCorrect
      ? CORRECTIONS.map((what) => ({ label: CORRECT_LABELS[what], run: correct(what) }))
      : [],
    copy() {
      if (!span) return;
      const times = `${formatMicros(span.from)} ${formatMicros(span.to)}`;
      void navigator.clipboard.writeText(times).then(() => sayDone('Copied', times));
    },
    whyNoRemove: mayDelete && isElsewhere ? 'Show Raw to delete what was stored.' : null,
    remove:
      mayDelete && !isElsewhere
        ? () => {
            if (span && records) openDialog({ kind: 'delete-records', project_id, device, span, records });
          }
        : null,
  };
}

/** What can be put right of a span. */
const CORRECTIONS: readonly CorrectionKind[] = ['quality', 'calibration', 'time'];

const SECOND = 1_000_000;
const MILLISECOND = 1_000;

/** The edges of pixels mean nothing in themselves: as many digits as tell two of them apart. */
function rounded({ from, to }: TimeSpan, pixel: number): TimeSpan {
  const unit = pixel >= 2 * SECOND ? SECOND : pixel >= 2 * MILLISECOND ? MILLISECOND : 1;
  const [start, end] = [Math.round(from / unit) * unit, Math.round(to / unit) * unit];
  return { from: Math.min(start, end), to: Math.max(start, end) };
}
