import type { PlannedDevice, PlannedProject, PushPlan } from '#shared/operations/records/push.ts';
import {
  MOST_LOOKED_FOR,
  type Looked,
  type LookedDevice,
  type LookedProject,
} from '#shared/operations/records/sync.ts';
import { ROW_KINDS } from '#shared/operations/records/sync-rows.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';
import { badRequest } from '../base/errors.ts';
import type { StoredDevice } from '../store/metadata/metadata-schema.ts';
import { planCorrections, refusedCorrections, versionsFor } from './corrections.ts';
import type { SyncBaseline } from './sync-baseline.ts';
import { fieldChanges, knownTo, marksOf, type Fields } from './fields.ts';
import type { LocalSideOptions } from './local-side.ts';
import type { Lab } from './lab.ts';
import { isDifferent } from './plan-rows.ts';
import { NO_RECORDS, planRecords } from './plan-records.ts';
import { problemOf } from './problem.ts';
import { RowPlans, type LookedAt } from './row-plans.ts';
import { Sample } from './sample.ts';
import { PUSHED_FIELDS, refusalOf, type OwnProject } from './sides.ts';

export interface PlanOptions extends LocalSideOptions {
  /** The lab's address, as the plan names it. */
  readonly to: string;
  readonly lab: Lab;
  /** Names this installation. */
  readonly installation_id: string;
  readonly own: readonly OwnProject[];
  readonly baseline: SyncBaseline;
  /** Latest time of receipt in the plan. */
  readonly at: Micros;
  readonly removed: PushPlan['removed'];
  readonly conflicts: 'lab' | 'here';
  /** Ids of the lab, by those of projects and devices here. */
  readonly into: Readonly<Record<string, string>>;
  /** Gets how many devices are planned, and how many there are. */
  readonly progress: (done: number, total: number) => void;
}

/**
 * Plans a push (docs/push.md), changing nothing on either side. What the lab refuses for one device is that device's
 * problem. Rejects with LabRefusal where the lab refuses all of it, LabLost, a 400 Refusal, or as the signal's reason.
 */
export async function planPush(options: PlanOptions): Promise<PushPlan> {
  const { to, lab, own, at, removed, progress } = options;
  checkInto(options);
  const looked = await lookForAll(options);
  if (looked.installation_id === options.installation_id)
    throw badRequest(`to must be the address of another Fieldbench, got "${to}", which is this one`);
  const projects = new Map(
    own.map(({ project }) => [project.id, planProject(project, looked, options)] as const),
  );
  const rowPlans = new RowPlans(looked, options);
  const withRows = await planProjectRows(projects, rowPlans, options);
  const sample = new Sample();
  const devices: PlannedDevice[] = [];
  const all = own.flatMap((each) => each.devices);
  for (const each of own)
    for (const device of each.devices) {
      progress(devices.length, all.length);
      const project = projects.get(device.project_id);
      if (project)
        devices.push(await planDevice({ device, own: each, rowPlans }, project, looked, sample, options));
    }
  progress(all.length, all.length);
  const bytes = devices.reduce((sum, device) => sum + device.bytes, 0);
  return {
    version: 1,
    to,
    lab: looked.installation_id,
    at: formatMicros(at),
    removed,
    projects: withRows,
    devices,
    send: devices.reduce((sum, device) => sum + device.send, 0),
    bytes,
    not_taken: ROW_KINDS.filter(
      (kind) => !looked.merges.has(kind) && own.some(({ rows }) => rows[kind].length > 0),
    ),
    seconds: await sample.secondsFor(bytes, lab),
  };
}

/** Throws where something is to go elsewhere that is not pushed at all: it would go nowhere, or under its own id. */
function checkInto({ into, own }: PlanOptions): void {
  const ids = new Set(own.flatMap(({ project, devices }) => [project.id, ...devices.map(({ id }) => id)]));
  const unknown = Object.keys(into).find((id) => !ids.has(id));
  if (unknown !== undefined)
    throw badRequest(
      `into must name projects and devices of this side that are pushed, by their ids, got "${unknown}"`,
    );
}

interface LookedFor extends LookedAt {
  readonly projects: ReadonlyMap<string, LookedProject>;
}

async function lookForAll({ lab, own, into }: PlanOptions): Promise<LookedFor> {
  const idThere = (id: string) => into[id] ?? id;
  const projects = own.map(({ project: { id, name } }) => ({ id: idThere(id), name }));
  const devices = own.flatMap((each) =>
    each.devices.map(({ id, name, project_id }) => ({
      id: idThere(id),
      name,
      project_id: idThere(project_id),
    })),
  );
  const found: Looked[] = [];
  for (let from = 0; from === 0 || from < Math.max(projects.length, devices.length); from += MOST_LOOKED_FOR)
    found.push(
      await lab.look({
        projects: projects.slice(from, from + MOST_LOOKED_FOR),
        devices: devices.slice(from, from + MOST_LOOKED_FOR),
      }),
    );
  return {
    installation_id: found[0]?.installation_id ?? '',
    merges: new Set(found[0]?.merges ?? []),
    projects: byId(found.flatMap((each) => each.projects)),
    devices: byId(found.flatMap((each) => each.devices)),
  };
}

function byId<T extends { readonly id: string }>(rows: readonly T[]): ReadonlyMap<string, T> {
  return new Map(rows.map((row) => [row.id, row]));
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Plans a project or a device, but for its records. */
function planOne(
  what: 'project' | 'device',
  { id, name }: Named,
  here: Fields,
  looked: LookedProject | LookedDevice,
  installation_id: string,
  { into, baseline, conflicts }: PlanOptions,
): PlannedProject {
  const isMapped = into[id] !== undefined;
  const problem =
    isMapped && looked.state === 'new'
      ? `The lab has no ${what} with the id "${looked.id}", into which it is to go.`
      : refusalOf(what, looked);
  const marks = baseline.of(installation_id, id);
  const fields =
    looked.fields === null || isMapped ? [] : fieldChanges(here, looked.fields, marks, conflicts);
  const state =
    problem !== null ? 'refused' : looked.state === 'new' ? 'new' : fields.length > 0 ? 'different' : 'same';
  const differ = new Set(fields.map(({ field }) => field));
  const alike = looked.fields === null || isMapped ? [] : knownTo(looked.fields, here);
  const same = marksOf(
    Object.fromEntries(alike.filter((field) => !differ.has(field)).map((field) => [field, here[field]])),
  );
  const { id: there, namesakes } = looked;
  return { id, name, into: there, state, problem, fields: [...fields], same, namesakes, rows: [] };
}

function planProject(
  project: OwnProject['project'],
  { projects, installation_id }: LookedFor,
  options: PlanOptions,
): PlannedProject {
  const looked = foundIn(projects, options.into[project.id] ?? project.id);
  return planOne('project', project, PUSHED_FIELDS.projects(project), looked, installation_id, options);
}

async function planDevice(
  { device, own, rowPlans }: { device: StoredDevice; own: OwnProject; rowPlans: RowPlans },
  project: PlannedProject,
  { devices, installation_id }: LookedFor,
  sample: Sample,
  options: PlanOptions,
): Promise<PlannedDevice> {
  const idThere = (id: string) => options.into[id] ?? id;
  const looked = foundIn(devices, idThere(device.id));
  const planned = planOne('device', device, PUSHED_FIELDS.devices(device), looked, installation_id, options);
  const into_project = looked.project_id ?? project.into;
  const of = { ...planned, project_id: device.project_id, into_project };
  const problem =
    planned.problem ??
    (project.state === 'refused' && looked.state === 'new' ? 'The lab takes nothing for its project.' : null);
  if (problem !== null) return { ...of, state: 'refused', problem, ...NOTHING };
  try {
    const records = await planRecords(device.id, looked, { ...options, place: placeOf(looked), sample });
    const versions = versionsFor(own.corrections.get(device.id), idThere);
    let corrections = { added: 0, conflicting: 0 };
    let refused: string | null = null;
    try {
      corrections = await planCorrections(versions, looked, placeOf(looked), options.lab);
    } catch (error) {
      refused = refusedCorrections(error);
    }
    const place = { of: device.id, project_id: into_project, isNew: looked.state === 'new' };
    const rows = await rowPlans.ofDevice(own, place);
    refused ??= rows.problem;
    const isSame =
      planned.state === 'same' &&
      records.send === 0 &&
      corrections.added === 0 &&
      refused === null &&
      !isDifferent(rows);
    return {
      ...of,
      state: planned.state === 'same' && !isSame ? 'different' : planned.state,
      ...records,
      rows: rows.rows,
      problem: refused,
      corrections: corrections.added,
      corrections_conflicting: corrections.conflicting,
    };
  } catch (error) {
    return { ...of, state: 'refused', problem: problemOf(error), ...NOTHING };
  }
}

/** Plans the rows that are of the projects themselves. */
async function planProjectRows(
  projects: ReadonlyMap<string, PlannedProject>,
  rows: RowPlans,
  { own }: PlanOptions,
): Promise<PlannedProject[]> {
  const all: PlannedProject[] = [];
  for (const each of own) {
    const planned = projects.get(each.project.id);
    if (!planned) continue;
    const plan = await rows.ofProject(each, planned);
    const isChanged = planned.state === 'same' && isDifferent(plan);
    all.push({
      ...planned,
      state: isChanged ? 'different' : planned.state,
      rows: plan.rows,
      problem: planned.problem ?? plan.problem,
    });
  }
  return all;
}

const NOTHING = { ...NO_RECORDS, corrections: 0, corrections_conflicting: 0 };

const placeOf = ({ id, project_id, state }: LookedDevice) =>
  state === 'there' && project_id !== null ? { project_id, device_id: id } : null;

function foundIn<T>(looked: ReadonlyMap<string, T>, id: string): T {
  const found = looked.get(id);
  if (found === undefined) throw new TypeError(`the lab left out ${id}`);
  return found;
}
