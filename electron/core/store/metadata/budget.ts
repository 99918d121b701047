import { badRequest } from '../../base/errors.ts';
import type { AnyRow } from './any-row.ts';
import type { TableName } from './metadata-schema.ts';
import { bytesOf, Weights } from './weights.ts';

/** Most bytes of metadata, as they are written (docs/running.md, "Limits"). */
export interface Budget {
  readonly installation: number;
  readonly project: number;
}

export const BUDGET: Budget = { installation: 256 << 20, project: 64 << 20 };

/** Growth of the metadata by a change, in bytes. */
export class Growth {
  readonly weights = new Weights();
  /** Growth that may be refused. */
  readonly #asked = new Weights();
  /** Bytes of rows that are no kept deletes. */
  #others = 0;
  #isRestore = false;

  /** A row as it was and as it is to be; null: not there. `bytes`: those it is to have. */
  add(table: TableName, before: AnyRow | null, after: AnyRow | null, bytes: number): void {
    const was = before ? bytesOf(before) : 0;
    const isKept = table === 'kept_deletes';
    // How far a delete has come is noted in its row, whatever there is room for; but it may move to another project.
    const asked = isKept && before ? was : bytes;
    if (before) {
      this.weights.add(table, before, -was);
      this.#asked.add(table, before, -was);
    }
    if (after) {
      this.weights.add(table, after, bytes);
      // Without a key of its own a service does not start.
      if (after.role !== 'service') this.#asked.add(table, after, asked);
    }
    if (!isKept) this.#others += bytes - was;
    else if (before && !after) this.#isRestore = true;
  }

  /**
   * Whether it may be refused. What takes away may not, also where it keeps for undo what it took; that may always come back.
   */
  get isAsked(): boolean {
    if (this.#others < 0 || this.#isRestore) return false;
    return this.#asked.all > 0 || [...this.#asked.projects()].some(([, bytes]) => bytes > 0);
  }

  /**
   * Throws a 400 Refusal that names what would be larger than it may be. `sumOf`: what there is, of all (null) or of a project.
   */
  check(budget: Budget, sumOf: (project: string | null) => number): void {
    if (!this.isAsked) return;
    for (const [project, bytes] of this.#asked.projects()) {
      const sum = sumOf(project) + this.weights.ofProject(project);
      if (bytes > 0 && sum > budget.project)
        throw tooMuch(`Metadata of the project ${project}`, budget.project, sum);
    }
    const sum = sumOf(null) + this.weights.all;
    if (this.#asked.all > 0 && sum > budget.installation)
      throw tooMuch('Metadata of the whole installation', budget.installation, sum);
  }
}

const tooMuch = (what: string, most: number, sum: number) =>
  badRequest(
    `${what} must be at most ${most} bytes as they are written (devices, functions, widgets, notes, what is kept for undo …), ` +
      `got ${sum} with this change; delete something, and remove it from undo, too`,
  );

/** Returns the error for values nested deeper than the stack, or longer than a text can be. */
export const tooDeep = () =>
  badRequest('What is to be kept is nested too deep, or too long, to be written: nothing was changed.');
