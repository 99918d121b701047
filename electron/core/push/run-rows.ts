import type { PlannedRows, PushedRows, PushPlan } from '#shared/operations/records/push.ts';
import { ROW_KINDS } from '#shared/operations/records/sync-rows.ts';
import type { Lab } from './lab.ts';
import { baselineOf, kindsOf, refusedRows, scopeOf, type RowsPlace } from './plan-rows.ts';
import { marksOfRows, refusalOf, sendRows, type OwnRow, type RowResult } from './rows.ts';
import type { SyncBaseline } from './sync-baseline.ts';

export interface RunRowsOptions {
  readonly plan: Pick<PushPlan, 'lab'>;
  readonly lab: Pick<Lab, 'mergeRows'>;
  readonly baseline: SyncBaseline;
}

/** Rows that the lab added and changed, and why not all that it was to have; null where it did. */
export interface SentRows {
  readonly rows: readonly PushedRows[];
  readonly problem: string | null;
}

export const NO_SENT_ROWS: SentRows = { rows: [], problem: null };

/** Returns both together; of two problems the first. */
export const bothSent = (a: SentRows, b: SentRows): SentRows => ({
  rows: [...a.rows, ...b.rows],
  problem: a.problem ?? b.problem,
});

/**
 * Sends rows of the kinds of which the plan sends some, and moves the baseline of all that both sides have alike then. Rejects as
 * `problemOf` rethrows, or with StoreError.
 */
export async function pushRows(
  rows: readonly OwnRow[],
  planned: readonly PlannedRows[],
  place: RowsPlace,
  { plan, lab, baseline }: RunRowsOptions,
): Promise<SentRows> {
  if (rows.length === 0) return NO_SENT_ROWS;
  const isSent = ({ kind }: OwnRow) => planned.some((each) => each.kind === kind && each.send > 0);
  const results: RowResult[] = [];
  let problem: string | null = null;
  try {
    const sending = {
      lab,
      project_id: place.project_id,
      baseline: baselineOf(baseline, plan.lab, place),
      isSent,
      isDryRun: false,
    };
    for await (const some of sendRows(rows, sending)) results.push(...some);
  } catch (error) {
    problem = refusedRows(kindsOf(rows), error);
  } finally {
    // Also of what was sent before the lab was lost: what changes here from now on is this side's change.
    for (const kind of kindsOf(rows)) {
      const own = results.filter(({ row }) => row.kind === kind);
      await baseline.note(plan.lab, scopeOf(place, kind), marksOfRows(own));
    }
  }
  const sent = ROW_KINDS.map((kind) => ({ kind, sent: countOf(results, kind) }));
  return { rows: sent.filter((each) => each.sent > 0), problem: problem ?? refusedIn(results) };
}

const countOf = (results: readonly RowResult[], kind: PushedRows['kind']): number =>
  results.filter(({ row, outcome }) => row.kind === kind && (outcome === 'added' || outcome === 'changed'))
    .length;

/** Returns what the lab refused of them, for people; null where it refused none. */
function refusedIn(results: readonly RowResult[]): string | null {
  const refusal = refusalOf(results);
  return refusal && `The lab refuses ${refusal}`;
}
