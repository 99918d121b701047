import type { CheckedInput } from '#shared/operations/index.ts';
import {
  ROW_KINDS,
  type RowKind,
  type RowOutcome,
  type TakenRow,
} from '#shared/operations/records/sync-rows.ts';
import { alternatives } from '#shared/values/text.ts';
import { quote } from '#shared/values/validate.ts';
import { notFound, Refusal } from '../../base/errors.ts';
import type { StoredProject } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import { isRowKind, markOfContent, saysOf } from '../../sync/row-says.ts';
import type { Principal } from '../call.ts';
import type { Context } from '../context.ts';
import { authorOf } from '../principal.ts';
import { idsOf } from '../removal/taking.ts';
import { mergeAlarm } from './merge-alarm.ts';
import { noteJudged } from './note-judged.ts';
import { TAKE, type Taking } from './take-row.ts';
import { Touched } from './touched.ts';

type Of = Pick<Context, 'metadata' | 'clock' | 'events'>;

/** Thrown by a dry run, so that nothing of its change is kept. */
class DryRun extends Error {
  readonly outcomes: readonly RowOutcome[];

  constructor(outcomes: readonly RowOutcome[]) {
    super('nothing is changed');
    this.outcomes = outcomes;
  }
}

/**
 * Merges rows of another service into a project, each by itself: of one that is refused nothing is changed. Resolves with what became
 * of them, in their order. Rejects with a Refusal where none can be taken.
 */
export async function mergeRows(
  project: StoredProject,
  { rows, judged, dry_run }: Pick<CheckedInput<'sync.rows'>, 'rows' | 'judged' | 'dry_run'>,
  principal: Principal,
  context: Of,
): Promise<readonly RowOutcome[]> {
  try {
    const merged = await context.metadata.change(async (tables) => {
      if (!(await tables.get('projects', project.id))) throw notFound('Project');
      const by = await authorOf(principal, tables, context);
      const touched = new Touched();
      const taking: Taking = { tables, project, by, now: context.clock.now(), touched, context };
      const kept = new KeptRows(tables, project);
      if (judged) await noteJudged(tables, project, judged, taking.now);
      const outcomes: RowOutcome[] = [];
      for (const row of rows) outcomes.push(await mergeOne(row, taking, kept));
      if (dry_run) throw new DryRun(outcomes);
      return { outcomes, touched };
    });
    merged.touched.announce(project, context);
    return merged.outcomes;
  } catch (error) {
    if (error instanceof DryRun) return error.outcomes;
    throw error;
  }
}

const without = (outcome: RowOutcome['outcome']): RowOutcome => ({ outcome, reason: null });

async function mergeOne(row: TakenRow, taking: Taking, kept: KeptRows): Promise<RowOutcome> {
  const { kind, id, says } = row;
  if (!isRowKind(kind))
    return { outcome: 'refused', reason: `kind must be ${alternatives(ROW_KINDS)}, got ${quote(kind)}` };
  const outcome = await comparedWith(kind, row, taking, kept);
  if (outcome !== 'added' && outcome !== 'changed') return without(outcome);
  if (says === undefined) return without('needed');
  try {
    if (kind === 'alarms') {
      const wasHere = row.base !== null || (await kept.has(kind, id));
      return without(await mergeAlarm(id, says, wasHere, taking));
    }
    await TAKE[kind](id, says, taking);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { outcome: 'refused', reason: error.message };
  }
  return without(outcome);
}

/** Resolves with what a row comes to by the marks of both sides; what is of another project here stays. */
async function comparedWith(
  kind: RowKind,
  { id, mark, base }: TakenRow,
  { tables, project }: Taking,
  kept: KeptRows,
): Promise<'added' | 'changed' | 'present' | 'conflicting' | 'removed'> {
  const there = await tables.get(kind, id);
  // What this service raised by itself has another id.
  if (!there && kind === 'alarms') return 'added';
  if (!there) return base !== null || (await kept.has(kind, id)) ? 'removed' : 'added';
  if (there.project_id !== project.id) return 'conflicting';
  const own = markOfContent(saysOf(kind, there).compared);
  if (own === mark) return 'present';
  return own === base || kind === 'alarms' ? 'changed' : 'conflicting';
}

/** Rows of a project that were deleted and can be had back; read once they are asked for. */
class KeptRows {
  readonly #tables: Tables;
  readonly #project: StoredProject;
  #ids: ReadonlySet<string> | null = null;

  constructor(tables: Tables, project: StoredProject) {
    this.#tables = tables;
    this.#project = project;
  }

  async has(kind: RowKind, id: string): Promise<boolean> {
    this.#ids ??= await this.#read();
    return this.#ids.has(`${kind} ${id}`);
  }

  async #read(): Promise<ReadonlySet<string>> {
    const { account_id } = this.#project;
    const all = await this.#tables.list('kept_deletes', { account_id });
    return new Set(
      all.flatMap(({ rows }) => ROW_KINDS.flatMap((kind) => idsOf(rows, kind).map((id) => `${kind} ${id}`))),
    );
  }
}
