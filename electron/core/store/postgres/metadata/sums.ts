import type { Budget } from '../../metadata/budget.ts';
import type { Weights } from '../../metadata/weights.ts';
import type { Asker } from '../connection/connections.ts';
import { idColumn } from './columns.ts';

/** Bytes of metadata that a transaction finds and locks, in all and of a project. */
export class Sums {
  readonly budget: Budget;
  readonly #asker: Asker;
  readonly #all: number;
  readonly #projects = new Map<string, number>();

  /** `all`: those of all rows. */
  constructor(asker: Asker, { all, budget }: { readonly all: number; readonly budget: Budget }) {
    this.#asker = asker;
    this.#all = all;
    this.budget = budget;
  }

  /** Resolves with what says the sum of all (null), or of a project that `of` knows, with what `added` adds. */
  async of(of: Weights, added: Weights): Promise<(project: string | null) => number> {
    const wanted = [...of.projects()].map(([id]) => id).filter((id) => !this.#projects.has(id));
    for (const id of wanted) this.#projects.set(id, 0);
    const columns = new Map(wanted.map((id) => [idColumn(id), id]));
    const found =
      wanted.length === 0
        ? []
        : await this.#asker.ask<{ readonly project_id: string; readonly bytes: number }>(
            'SELECT project_id, bytes FROM metadata_weight WHERE project_id = ANY($1::text[])',
            [[...columns.keys()]],
          );
    for (const { project_id, bytes } of found) this.#projects.set(columns.get(project_id) ?? '', bytes);
    return (project) =>
      project === null
        ? this.#all + added.all
        : (this.#projects.get(project) ?? 0) + added.ofProject(project);
  }
}
