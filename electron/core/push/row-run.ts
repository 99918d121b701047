import { RULE } from '#shared/domain/rule-names.ts';
import { ruleOf } from '#shared/domain/rules.ts';
import type { InputOf } from '#shared/operations/index.ts';
import type { PlannedDevice, PlannedProject, PushPlan } from '#shared/operations/records/push.ts';
import type { RowKind } from '#shared/operations/records/sync-rows.ts';
import { formatMicros, parseInstant, type Micros } from '#shared/values/time.ts';
import type { StoredAlarm, StoredDevice, StoredFunction } from '../store/metadata/metadata-schema.ts';
import { idsThere } from './corrections.ts';
import type { Lab } from './lab.ts';
import { baselineOf, refusedRows, type RowsPlace } from './plan-rows.ts';
import {
  alarmsOfDevice,
  byTagOf,
  isToBeAlike,
  ofDevice,
  rowsOfDevice,
  rowsOfProject,
  sendRows,
  type OwnRow,
} from './rows.ts';
import { NO_SENT_ROWS, pushRows, type SentRows } from './run-rows.ts';
import type { OwnProject } from './sides.ts';
import type { SyncBaseline } from './sync-baseline.ts';

export interface RowRunOptions {
  readonly plan: PushPlan;
  readonly lab: Pick<Lab, 'mergeRows' | 'noteJudged'>;
  readonly own: readonly OwnProject[];
  readonly baseline: SyncBaseline;
  /** Kinds of rows that the lab takes. */
  readonly merges: ReadonlySet<string>;
}

/**
 * Rows of a push that is run: what rules are judged by goes before the records of a device, with until when they were judged here, notes
 * behind them; then what is of projects, and at last alarms, whose rules are all there by then. Each rejects as `pushRows`.
 */
export class RowRun {
  readonly #options: RowRunOptions;
  readonly #idThere: (id: string) => string;
  /** Rules that the lab has as they are here, or is to have, by the project or device that they are of. */
  readonly #alike = new Map<string, ReadonlySet<string>>();

  constructor(options: RowRunOptions) {
    this.#options = options;
    this.#idThere = idsThere(options.plan);
  }

  /** Sends functions and settings of keys of a device, whose records follow. */
  async beforeRecords(planned: PlannedDevice, device: StoredDevice): Promise<SentRows> {
    const { lab, plan } = this.#options;
    const rows = this.#rowsOf(planned, device, ['functions', 'key_settings']);
    const place = placeOf(planned);
    try {
      const rules = await this.#rulesOf(planned, device);
      const isJudged = planned.send > 0 || planned.rows.some(({ send }) => send > 0);
      if (rules.length > 0 && isJudged)
        await lab.noteJudged(place.project_id, { device_id: planned.into, at: plan.at, rules: [...rules] });
    } catch (error) {
      return { rows: [], problem: refusedRows(['functions', 'alarms'], error) };
    }
    return pushRows(rows, planned.rows, place, this.#options);
  }

  /** Sends notes of a device. */
  afterRecords(planned: PlannedDevice, device: StoredDevice): Promise<SentRows> {
    const rows = this.#rowsOf(planned, device, ['notes']);
    return pushRows(rows, planned.rows, placeOf(planned), this.#options);
  }

  /** Sends rules by tag and widgets of a project. */
  async ofProject(planned: PlannedProject): Promise<SentRows> {
    const own = this.#ownOf(planned.id);
    if (!own) return NO_SENT_ROWS;
    const rows = this.#taken(rowsOfProject(own, this.#idThere));
    return pushRows(rows, planned.rows, projectPlaceOf(planned), this.#options);
  }

  async alarms(planned: PlannedDevice, device: StoredDevice): Promise<SentRows> {
    const own = this.#ownOf(device.project_id);
    if (!own || ofDevice(own, device.id).alarms.length === 0) return NO_SENT_ROWS;
    let alike: ReadonlySet<string>;
    try {
      alike = await this.#alikeFor(own, planned);
    } catch (error) {
      return { rows: [], problem: refusedRows(['functions', 'alarms'], error) };
    }
    const until = parseInstant(this.#options.plan.at) ?? -Infinity;
    const rows = this.#taken(alarmsOfDevice(own, device.id, this.#idThere, { until, alike }));
    return pushRows(rows, planned.rows, placeOf(planned), this.#options);
  }

  #ownOf(project: string): OwnProject | undefined {
    return this.#options.own.find((each) => each.project.id === project);
  }

  #taken(rows: readonly OwnRow[]): readonly OwnRow[] {
    return rows.filter(({ kind }) => this.#options.merges.has(kind));
  }

  #rowsOf(
    planned: PlannedDevice,
    { project_id }: StoredDevice,
    kinds: readonly RowKind[],
  ): readonly OwnRow[] {
    const own = this.#ownOf(project_id);
    const all = own ? rowsOfDevice(own, planned.id, this.#idThere) : [];
    return this.#taken(all).filter(({ kind }) => kinds.includes(kind));
  }

  /** Resolves with the rules that are judged here on a device, and that the lab has alike, or is to have. */
  async #rulesOf(planned: PlannedDevice, device: StoredDevice): Promise<readonly JudgedRule[]> {
    const own = this.#ownOf(device.project_id);
    if (!own) return [];
    const { functions, alarms } = ofDevice(own, device.id);
    const watching = [...functions, ...byTagOf(own)].filter((row) => watches(row, device));
    if (watching.length === 0) return [];
    const alike = await this.#alikeFor(own, planned);
    const at = parseInstant(this.#options.plan.at) ?? Infinity;
    const moments = Map.groupBy(alarms, ({ function_id }) => function_id);
    return watching.flatMap(({ id }) =>
      alike.has(id) ? { function_id: id, ahead: aheadOf(moments.get(id), at) } : [],
    );
  }

  /** Resolves with functions of a project and of a device that the lab has alike, or is to have. */
  async #alikeFor(own: OwnProject, device: PlannedDevice): Promise<ReadonlySet<string>> {
    const project = this.#options.plan.projects.find(({ id }) => id === own.project.id);
    const byTag = () => rowsOfProject(own, this.#idThere).filter(isFunction);
    const alone = () => rowsOfDevice(own, device.id, this.#idThere).filter(isFunction);
    return new Set([
      ...(project ? await this.#alikeOf(byTag, projectPlaceOf(project)) : []),
      ...(await this.#alikeOf(alone, placeOf(device))),
    ]);
  }

  async #alikeOf(rows: () => readonly OwnRow[], place: RowsPlace): Promise<ReadonlySet<string>> {
    const known = this.#alike.get(place.of);
    if (known) return known;
    const { lab, plan, baseline } = this.#options;
    const alike = new Set<string>();
    for await (const some of sendRows(this.#taken(rows()), {
      lab,
      project_id: place.project_id,
      baseline: baselineOf(baseline, plan.lab, place),
      isSent: () => false,
      isDryRun: true,
    }))
      for (const result of some) if (isToBeAlike(result)) alike.add(result.row.id);
    this.#alike.set(place.of, alike);
    return alike;
  }
}

type JudgedRule = NonNullable<InputOf<'sync.rows'>['judged']>['rules'][number];

/** Returns the span of what alarms say of times after a moment: their device's clock is ahead. Null for none. */
function aheadOf(alarms: readonly StoredAlarm[] = [], at: Micros): JudgedRule['ahead'] {
  const later = alarms.filter(({ fired }) => fired > at);
  if (later.length === 0) return null;
  const [starts, ends] = [later.map(({ fired }) => fired), later.map(({ fired, end }) => end ?? fired)];
  return { start: formatMicros(Math.min(...starts)), end: formatMicros(Math.max(...starts, ...ends)) };
}

const placeOf = ({ id, into_project, state }: PlannedDevice): RowsPlace => ({
  of: id,
  project_id: into_project,
  isNew: state === 'new',
});

const projectPlaceOf = ({ id, into, state }: PlannedProject): RowsPlace => ({
  of: id,
  project_id: into,
  isNew: state === 'new',
});

/** Whether a rule that is switched on watches a device. */
function watches({ type, enabled, device_id, condition }: StoredFunction, device: StoredDevice): boolean {
  if (type !== RULE || !enabled) return false;
  if (device_id !== null) return device_id === device.id;
  const rule = ruleOf(condition);
  return typeof rule !== 'string' && rule.devices !== undefined && device.tags.includes(rule.devices.tag);
}

const isFunction = ({ kind }: OwnRow) => kind === 'functions';
