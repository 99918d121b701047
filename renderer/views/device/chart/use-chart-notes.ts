import { useMemo, useRef } from 'react';
import type { View } from '#shared/domain/corrections.ts';
import type { Note } from '#shared/operations/metadata/notes.ts';
import { parseInstant } from '#shared/values/time.ts';
import { may } from '../../../bridge/distant.ts';
import type { Views } from '../../../chart/controls/use-views.ts';
import { nextNote, placed, windowWith } from '../../../chart/notes/note-flags.ts';
import type { TimeSpan } from '../../../chart/time/window.ts';
import { deviceKey } from '../../../stores/devices.ts';
import { openDialog } from '../../../stores/dialog.ts';
import { notes as notesOf } from '../../../stores/notes.ts';

interface Asked {
  readonly project_id: string;
  readonly device_id: string;
  readonly view: View;
  readonly window: TimeSpan;
  readonly views: Views;
}

export interface ChartNotes {
  /** Earliest first. */
  readonly all: readonly Note[];
  readonly open: (note: Note) => void;
  /** Goes to the next note, and behind the last one to the first. */
  readonly next: () => void;
}

const NONE: readonly Note[] = [];

/** The notes of a device over its chart. */
export function useChartNotes({ project_id, device_id, view, window, views }: Asked): ChartNotes {
  const key = deviceKey(project_id, device_id, view);
  notesOf.useWatch(key);
  const all = notesOf.useValue(key).value ?? NONE;
  const known = useMemo(() => placed(all), [all]);
  const latest = useRef<number | null>(null);
  return {
    all,
    open(note) {
      if (!may('notes.update')) return;
      const end = note.end === null ? null : parseInstant(note.end);
      const start = parseInstant(note.start) ?? 0;
      openDialog({ kind: 'note', project_id, device_id, start, end, view, note });
    },
    next() {
      const found = nextNote(known, latest.current);
      if (!found) return;
      latest.current = found.from;
      if (found.from < window.from || found.to > window.to) views.look(windowWith(found, window));
    },
  };
}
