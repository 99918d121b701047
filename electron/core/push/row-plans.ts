import type { PlannedProject } from '#shared/operations/records/push.ts';
import type { LookedDevice } from '#shared/operations/records/sync.ts';
import type { Micros } from '#shared/values/time.ts';
import type { Lab } from './lab.ts';
import { NO_ROWS, planRows, type RowsPlace, type RowsPlan } from './plan-rows.ts';
import { alarmsOfDevice, rowsOfDevice, rowsOfProject, type OwnRow } from './rows.ts';
import type { OwnProject } from './sides.ts';
import type { SyncBaseline } from './sync-baseline.ts';

export interface RowPlansOptions {
  readonly lab: Pick<Lab, 'mergeRows'>;
  readonly baseline: SyncBaseline;
  readonly into: Readonly<Record<string, string>>;
  readonly at: Micros;
}

/** Facts that the lab told of itself and of devices. */
export interface LookedAt {
  readonly installation_id: string;
  /** Kinds of rows that the lab takes. */
  readonly merges: ReadonlySet<string>;
  readonly devices: ReadonlyMap<string, LookedDevice>;
}

/** Plans of the rows of a push, those of projects before those of their devices, whose alarms may be of rules by tag. */
export class RowPlans {
  readonly #looked: LookedAt;
  readonly #options: RowPlansOptions;
  readonly #projects = new Map<string, RowsPlan>();

  constructor(looked: LookedAt, options: RowPlansOptions) {
    this.#looked = looked;
    this.#options = options;
  }

  /** Plans the rows that are of a project itself. Resolves with the project's plan and these. Rejects as `planRows`. */
  async ofProject(own: OwnProject, planned: PlannedProject): Promise<RowsPlan> {
    const { id: of, into: project_id, state } = planned;
    const place = { of, project_id, isNew: state === 'new' };
    const plan =
      state === 'refused' ? NO_ROWS : await this.#plan(rowsOfProject(own, this.#idThere), place, new Set());
    this.#projects.set(of, plan);
    return plan;
  }

  /** Plans the rows of a device. Rejects as `planRows`. */
  async ofDevice(own: OwnProject, place: RowsPlace): Promise<RowsPlan> {
    const device = await this.#plan(rowsOfDevice(own, place.of, this.#idThere), place, new Set());
    const project = this.#projects.get(own.project.id) ?? NO_ROWS;
    const alike = new Set([...project.alike, ...device.alike]);
    const made = new Set([...project.made, ...device.made]);
    const rows = alarmsOfDevice(own, place.of, this.#idThere, { until: this.#options.at, alike });
    const alarms = await this.#plan(rows, place, made);
    return { rows: [...device.rows, ...alarms.rows], problem: device.problem ?? alarms.problem, alike, made };
  }

  readonly #idThere = (id: string): string => this.#options.into[id] ?? id;

  /** Plans rows of the kinds that the lab takes. */
  async #plan(rows: readonly OwnRow[], place: RowsPlace, rules: ReadonlySet<string>): Promise<RowsPlan> {
    const { installation_id: lab_id, merges, devices } = this.#looked;
    const { lab, baseline } = this.#options;
    const isMade = (id: string) => rules.has(id) || devices.get(this.#idThere(id))?.state === 'new';
    const taken = rows.filter(({ kind }) => merges.has(kind));
    return taken.length === 0 ? NO_ROWS : planRows(taken, place, { lab, lab_id, baseline, isMade });
  }
}
