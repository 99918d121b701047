import type { Calibration, CalibrationPoint } from '#shared/domain/corrections.ts';
import type { ShownCorrection } from '#shared/operations/metadata/corrections.ts';
import { readNumber } from '../../../../read-number.ts';
import { certificateText, readCertificate, type FirstColumn } from './certificate-table.ts';

/** How a calibration is told: a known value, two moments with a reference beside it, a certificate, a line. */
export type Way = 'one' | 'two' | 'table' | 'line';

/** A calibration as it is being typed: numbers may be half-written. */
export interface CalibrationDraft {
  readonly way: Way;
  readonly read: string;
  readonly truth: string;
  /** What the reference said at the two moments. */
  readonly reference: readonly [string, string];
  readonly table: string;
  readonly first: FirstColumn;
  readonly gain: string;
  readonly offset: string;
}

export type DraftField =
  | 'read'
  | 'truth'
  | 'first-reference'
  | 'second-reference'
  | 'table'
  | 'gain'
  | 'offset';

const EMPTY: CalibrationDraft = {
  way: 'one',
  read: '',
  truth: '',
  reference: ['', ''],
  table: '',
  first: 'reading',
  gain: '1',
  offset: '0',
};

/** The draft that says a calibration again; of none, an empty one. */
export function draftOf(points: ShownCorrection['points']): CalibrationDraft {
  if (points === undefined) return EMPTY;
  if ('gain' in points)
    return { ...EMPTY, way: 'line', gain: String(points.gain), offset: String(points.offset) };
  const [[read, truth] = [0, 0], ...others] = points;
  if (others.length === 0) return { ...EMPTY, read: String(read), truth: String(truth) };
  return { ...EMPTY, way: 'table', table: certificateText(points) };
}

export type PointsRead =
  | { readonly points: Calibration['points'] }
  | { readonly problems: Partial<Record<DraftField, string>> };

const NEEDED = 'A number is needed here.';

/** The points that a draft means, or what is wrong with its fields. `readings`: what was stored at the two moments. */
export function pointsOf(draft: CalibrationDraft, readings: readonly (number | null)[]): PointsRead {
  const problems: Partial<Record<DraftField, string>> = {};
  const number = (field: DraftField, text: string): number => {
    const read = text.trim() === '' ? { problem: NEEDED } : readNumber(text);
    if ('number' in read) return read.number;
    problems[field] = read.problem;
    return 0;
  };
  const points = ((): Calibration['points'] => {
    switch (draft.way) {
      case 'one':
        return [[number('read', draft.read), number('truth', draft.truth)]];
      case 'line':
        return { gain: number('gain', draft.gain), offset: number('offset', draft.offset) };
      case 'table': {
        const table = readCertificate(draft.table, draft.first);
        if ('points' in table) return table.points;
        problems.table = table.problem;
        return [];
      }
      case 'two': {
        const fields = ['first-reference', 'second-reference'] as const;
        const pairs = fields.map((field, place): CalibrationPoint => {
          const truth = number(field, draft.reference[place] ?? '');
          const reading = readings[place] ?? null;
          if (reading === null) problems[field] ??= 'Nothing was stored of this key near this moment.';
          return [reading ?? 0, truth];
        });
        if (pairs[0]?.[0] === pairs[1]?.[0])
          problems['second-reference'] ??= 'It read the same at both moments: one known value says as much.';
        return pairs.toSorted(([a], [b]) => a - b);
      }
    }
  })();
  return Object.keys(problems).length > 0 ? { problems } : { points };
}
