import type { ClockCorrection, Correction, View } from '#shared/domain/corrections.ts';
import type { Micros } from '#shared/values/time.ts';
import { clockMapOf } from '../../store/blocks/corrections/clock-map.ts';
import { correctionsOf } from '../../store/metadata/lens-of.ts';
import type { StoredNote } from '../../store/metadata/metadata-schema.ts';
import type { Context } from '../context.ts';

/** Notes of a device as a view shows them. */
export interface ViewedNotes {
  /** Earliest first. */
  readonly notes: readonly StoredNote[];
  /** Whether a clock of the device was put right: then the times of a note are not the same in both views. */
  readonly isMoved: boolean;
}

/**
 * Resolves with the notes of a device that touch a span of a view. A note is of a moment of the device's clock, and is never
 * changed: where that clock was put right, the corrected view has it at the corrected time of its moment.
 */
export async function notesIn(
  device_id: string,
  view: View,
  { start = -Infinity, end = Infinity }: { readonly start?: Micros; readonly end?: Micros },
  { metadata }: Pick<Context, 'metadata'>,
): Promise<ViewedNotes> {
  const stored = await metadata.read((tables) => tables.list('notes', { device_id }));
  const clocks = (await correctionsOf(metadata, { id: device_id })).filter(isClock);
  const notes =
    view === 'raw' || clocks.length === 0 ? stored : stored.map((note) => movedNote(note, clocks));
  return {
    notes: notes
      .filter((note) => note.start <= end && (note.end ?? note.start) >= start)
      .toSorted((a, b) => a.start - b.start || a.sequence - b.sequence),
    isMoved: clocks.length > 0,
  };
}

const isClock = (each: Correction): each is ClockCorrection => each.kind === 'time';

/** Between two ends that were put right differently a span may turn round. */
function movedNote(note: StoredNote, clocks: readonly ClockCorrection[]): StoredNote {
  const start = correctedTime(note.start, clocks);
  if (note.end === null) return { ...note, start };
  const end = correctedTime(note.end, clocks);
  return { ...note, start: Math.min(start, end), end: Math.max(start, end) };
}

/** Of several corrections of one moment the newest holds. */
function correctedTime(at: Micros, clocks: readonly ClockCorrection[]): Micros {
  const clock = clocks.findLast(({ from, to }) => from <= at && at <= to);
  return clock ? clockMapOf(clock).of(at) : at;
}
