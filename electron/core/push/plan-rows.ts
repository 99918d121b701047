import type { PlannedRows } from '#shared/operations/records/push.ts';
import { ROW_KINDS, type RowKind } from '#shared/operations/records/sync-rows.ts';
import { kindsWords } from '#shared/operations/records/row-words.ts';
import type { Lab } from './lab.ts';
import { problemOf } from './problem.ts';
import { refusalOf, sendRows, type OwnRow, type RowResult } from './rows.ts';
import type { SyncBaseline } from './sync-baseline.ts';

/** Project or device of rows, and where they go. */
export interface RowsPlace {
  /** Project or device here. */
  readonly of: string;
  /** Project of the lab. */
  readonly project_id: string;
  /** Whether it is made by the push: then the lab has none of its rows. */
  readonly isNew: boolean;
}

export interface PlanRowsOptions {
  readonly lab: Pick<Lab, 'mergeRows'>;
  /** Installation of the lab. */
  readonly lab_id: string;
  readonly baseline: SyncBaseline;
  /** Whether the push makes a device, by its id here, or a rule: nobody can say of what names it whether the lab takes it. */
  readonly isMade: (id: string) => boolean;
}

/** Plan of rows, and why the lab takes none of them; null where it does. */
export interface RowsPlan {
  readonly rows: PlannedRows[];
  readonly problem: string | null;
  /** Functions that the lab has as they are here, or will have; and those of them that it does not have yet. */
  readonly alike: ReadonlySet<string>;
  readonly made: ReadonlySet<string>;
}

export const NO_ROWS: RowsPlan = { rows: [], problem: null, alike: new Set(), made: new Set() };

/** Rejects as `problemOf` rethrows. */
export async function planRows(
  rows: readonly OwnRow[],
  place: RowsPlace,
  { lab, lab_id, baseline, isMade }: PlanRowsOptions,
): Promise<RowsPlan> {
  if (place.isNew) return planOf(rows.map((row) => ({ row, outcome: 'needed', reason: null })));
  const results: RowResult[] = [];
  try {
    for await (const some of sendRows(rows, {
      lab,
      project_id: place.project_id,
      baseline: baselineOf(baseline, lab_id, place),
      isSent: ({ devices, rule }) => !devices.some(isMade) && (rule === null || !isMade(rule)),
      isDryRun: true,
    }))
      results.push(...some);
  } catch (error) {
    return { ...NO_ROWS, problem: refusedRows(kindsOf(rows), error) };
  }
  return planOf(results);
}

const TO_BE: readonly RowResult['outcome'][] = ['added', 'changed', 'needed'];

function planOf(results: readonly RowResult[]): RowsPlan {
  const functions = results.filter(({ row }) => row.kind === 'functions');
  const made = new Set(functions.filter(({ outcome }) => TO_BE.includes(outcome)).map(({ row }) => row.id));
  const present = functions.filter(({ outcome }) => outcome === 'present').map(({ row }) => row.id);
  return { rows: tallyOf(results), problem: null, alike: new Set([...made, ...present]), made };
}

/** Returns why rows were not sent, for people: all else goes. Rethrows as `problemOf`. */
export const refusedRows = (kinds: readonly RowKind[], error: unknown): string =>
  `Its ${kindsWords(kinds)} stay as they are in the lab: ${problemOf(error)}`;

export const kindsOf = (rows: readonly OwnRow[]): readonly RowKind[] =>
  ROW_KINDS.filter((kind) => rows.some((row) => row.kind === kind));

/** Where the baseline of rows of a kind is noted. */
export const scopeOf = ({ of }: Pick<RowsPlace, 'of'>, kind: RowKind): string => `${of}/${kind}`;

/** Returns what finds the mark of a row when both sides last had the same. */
export function baselineOf(
  baseline: SyncBaseline,
  lab_id: string,
  place: RowsPlace,
): (row: OwnRow) => string | null {
  return ({ kind, id }) => (place.isNew ? null : (baseline.of(lab_id, scopeOf(place, kind))?.[id] ?? null));
}

function tallyOf(results: readonly RowResult[]): PlannedRows[] {
  return ROW_KINDS.flatMap((kind) => {
    const own = results.filter(({ row }) => row.kind === kind);
    const count = (...some: readonly RowResult['outcome'][]) =>
      own.filter(({ outcome }) => some.includes(outcome)).length;
    const planned = {
      kind,
      send: count(...TO_BE),
      conflicting: count('conflicting'),
      removed: count('removed'),
      refused: count('refused'),
      reason: refusalOf(own),
    };
    return planned.send + planned.conflicting + planned.removed + planned.refused > 0 ? planned : [];
  });
}

/** Whether the lab is to get something of it, or refuses it. */
export const isDifferent = ({ rows, problem }: RowsPlan): boolean =>
  problem !== null || rows.some(({ send, refused }) => send + refused > 0);
