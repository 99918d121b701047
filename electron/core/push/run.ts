import type {
  PlannedDevice,
  PlannedProject,
  Pushed,
  PushedDevice,
  PushPlan,
} from '#shared/operations/records/push.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { badRequest } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import type { StoredDevice } from '../store/metadata/metadata-schema.ts';
import { idsThere, sendCorrections, versionsFor } from './corrections.ts';
import type { SyncBaseline } from './sync-baseline.ts';
import { lacking } from './compare.ts';
import { canonical, marksOf, type Fields } from './fields.ts';
import { countingFor, LocalSide, type LocalSideOptions } from './local-side.ts';
import type { Lab } from './lab.ts';
import { readRemoval } from './plan-records.ts';
import { problemOf } from './problem.ts';
import { RowRun } from './row-run.ts';
import { bothSent, NO_SENT_ROWS, type SentRows } from './run-rows.ts';
import { send, type SentSoFar } from './send.ts';
import { PUSHED_FIELDS, type OwnProject } from './sides.ts';

export interface RunOptions extends LocalSideOptions {
  readonly plan: PushPlan;
  readonly lab: Lab;
  /** The projects of the plan that are still here, with their devices. */
  readonly own: readonly OwnProject[];
  readonly baseline: SyncBaseline;
  readonly now: Micros;
  /** Gets how many records have been dealt with. */
  readonly progress: (done: number) => void;
}

const CHANGED = 'It has changed here since the plan was made. Plan again.';
const CHANGED_THERE = 'It has changed in the lab since the plan was made. Plan again.';
const GONE = 'It is not here any more.';

/**
 * Runs a plan and nothing else: a device that changed since the plan is not sent, nor are records that the lab has by now.
 * Rejects with LabLost, with LabRefusal where the lab refuses all of it, with a 400 Refusal where the plan is of another
 * lab, or as the signal's reason; what was sent until then stays.
 */
export async function runPush(options: RunOptions): Promise<Pushed> {
  const { plan, lab, own } = options;
  const began = machineClock.monotonicMs();
  const { installation_id, merges = [] } = await lab.look({ projects: [], devices: [] });
  if (installation_id !== plan.lab)
    throw badRequest(
      'plan must be of the lab that answers at this address; that is another one. Plan again.',
    );
  const problems = new Map<string, string>();
  for (const planned of plan.projects) {
    const problem = await pushProject(planned, options);
    if (problem !== null) problems.set(planned.id, problem);
  }
  const rows = new RowRun({ ...options, merges: new Set(merges) });
  const local = new Map(own.flatMap(({ devices }) => devices.map((device) => [device.id, device] as const)));
  const devices: PushedDevice[] = [];
  let before = 0;
  for (const planned of plan.devices) {
    const problem = planned.state === 'new' ? problems.get(planned.project_id) : undefined;
    devices.push(
      problem === undefined
        ? await pushDevice(planned, local.get(planned.id), before, rows, options)
        : notSent(planned, `The lab takes nothing for its project: ${problem}`),
    );
    options.progress((before += planned.send));
  }
  const projects: Pushed['projects'] = [];
  for (const planned of plan.projects) {
    const { id, name } = planned;
    const problem = problems.get(id) ?? null;
    const sent = problem === null ? await rows.ofProject(planned) : NO_SENT_ROWS;
    projects.push({ id, name, rows: [...sent.rows], problem: problem ?? sent.problem });
  }
  const refused = (planned: PlannedDevice) =>
    planned.state === 'refused' || (planned.state === 'new' && problems.has(planned.project_id));
  for (const [i, planned] of plan.devices.entries()) {
    const [device, sent] = [local.get(planned.id), devices[i]];
    if (device && sent && !refused(planned)) devices[i] = withRows(sent, await rows.alarms(planned, device));
  }
  return {
    projects,
    devices,
    sent: devices.reduce((sum, { sent }) => sum + sent, 0),
    bytes: lab.sentBytes,
    seconds: Math.round(machineClock.monotonicMs() - began) / 1000,
  };
}

/** Resolves with why the lab does not take it, or not its fields; null where nothing is wrong. */
async function pushProject(
  planned: PlannedProject,
  { own, lab, baseline, plan }: RunOptions,
): Promise<string | null> {
  if (planned.state === 'refused') return planned.problem;
  const found = own.find(({ project }) => project.id === planned.id);
  if (!found) return GONE;
  const fields = PUSHED_FIELDS.projects(found.project);
  const { name, description, reason_required = false } = found.project;
  try {
    if (planned.state === 'new') {
      const isAdded = await lab.addProject({ id: planned.into, name, description, reason_required });
      if (isAdded) await noteBaseline(planned, fields, plan.lab, baseline);
      return null;
    }
    const changed = changedFields(planned, fields);
    if (changed === null) return CHANGED;
    if (Object.keys(changed).length > 0) {
      const { projects } = await lab.look({ projects: [{ id: planned.into, name }], devices: [] });
      if (isOther(planned, projects[0]?.fields)) return CHANGED_THERE;
      await lab.updateProject(planned.into, changed);
    }
    await noteBaseline(planned, changed, plan.lab, baseline);
    return null;
  } catch (error) {
    return problemOf(error);
  }
}

async function pushDevice(
  planned: PlannedDevice,
  device: StoredDevice | undefined,
  before: number,
  rowRun: RowRun,
  options: RunOptions,
): Promise<PushedDevice> {
  if (planned.state === 'refused') return notSent(planned, planned.problem);
  if (!device) return notSent(planned, GONE);
  let so_far: SentSoFar = { stored: 0, present: 0, removed: 0, isAll: true };
  let corrections = 0;
  let rows = NO_SENT_ROWS;
  let problem: string | null = null;
  try {
    problem = await pushFields(planned, device, options);
    rows = await rowRun.beforeRecords(planned, device);
    const unsent = await pushRecords(planned, before, options, (now) => (so_far = now));
    problem = unsent ?? problem ?? planned.problem;
    try {
      if (planned.corrections > 0) corrections = await pushCorrections(planned, device, options);
    } catch (error) {
      problem = problemOf(error);
    }
    rows = bothSent(rows, await rowRun.afterRecords(planned, device));
    problem ??= rows.problem;
  } catch (error) {
    problem = problemOf(error);
  }
  const { stored, present, removed } = so_far;
  return {
    id: planned.id,
    name: planned.name,
    sent: stored,
    present: planned.present + present,
    removed: planned.removed + removed,
    corrections,
    rows: [...rows.rows],
    problem,
  };
}

const withRows = (pushed: PushedDevice, { rows, problem }: SentRows): PushedDevice => ({
  ...pushed,
  rows: [...pushed.rows, ...rows],
  problem: pushed.problem ?? problem,
});

/** Makes the device where the lab has none. Resolves with why its fields stay as they are there; records go all the same. */
async function pushFields(
  planned: PlannedDevice,
  device: StoredDevice,
  { lab, baseline, plan }: RunOptions,
): Promise<string | null> {
  const fields = PUSHED_FIELDS.devices(device);
  if (planned.state === 'new') {
    const { name, description, source, tags, brand, model, metadata, interval_s, token_hash } = device;
    const made = {
      name,
      description,
      source,
      tags: [...tags],
      brand,
      model,
      metadata,
      interval_s,
      token_hash,
    };
    const place = { project_id: planned.into_project, id: planned.into };
    const isAdded = await lab.addDevice({ ...place, ...made });
    if (isAdded) await noteBaseline(planned, fields, plan.lab, baseline);
    return null;
  }
  const changed = changedFields(planned, fields);
  if (changed === null) return CHANGED;
  if (Object.keys(changed).length > 0)
    try {
      const place = { project_id: planned.into_project, device_id: planned.into };
      const asked = { id: planned.into, project_id: planned.into_project, name: device.name };
      const { devices } = await lab.look({ projects: [], devices: [asked] });
      if (isOther(planned, devices[0]?.fields)) return CHANGED_THERE;
      await lab.updateDevice(place, changed);
    } catch (error) {
      return `Its fields stay as they are in the lab: ${problemOf(error)}`;
    }
  await noteBaseline(planned, changed, plan.lab, baseline);
  return null;
}

/** Resolves with how many versions the lab added: all that it lacks, also of what was corrected since the plan. */
async function pushCorrections(
  { into, into_project }: PlannedDevice,
  { id, project_id }: StoredDevice,
  { lab, own, plan }: RunOptions,
): Promise<number> {
  const versions = own.find(({ project }) => project.id === project_id)?.corrections.get(id);
  const place = { project_id: into_project, device_id: into };
  const { added } = await sendCorrections(versionsFor(versions, idsThere(plan)), place, lab, false);
  return added;
}

/** Resolves with why not all of them were sent; null where they were. */
async function pushRecords(
  planned: PlannedDevice,
  before: number,
  options: RunOptions,
  sent: (so_far: SentSoFar) => void,
): Promise<string | null> {
  const { plan, lab, now } = options;
  if (planned.send === 0) return null;
  const at = parseInstant(plan.at) ?? now;
  const counting = countingFor(at, now, planned.removals.map(readRemoval));
  const local = new LocalSide(planned.id, counting, options);
  const whole = await local.whole();
  if (whole?.records !== planned.records || whole.digest !== planned.digest) return CHANGED;
  const place = { project_id: planned.into_project, device_id: planned.into };
  const removed = plan.removed === 'send' ? 'store' : 'leave-out';
  let done = before;
  let isAll = true;
  await send(
    lacking(local, whole, lab, place),
    { lab, place, removed, most: planned.send, progress: (some) => options.progress((done += some)) },
    (so_far) => {
      isAll = so_far.isAll;
      sent(so_far);
    },
  );
  return isAll
    ? null
    : 'The lab lacks more of it than when the plan was made; the rest was not sent. Plan again.';
}

/** The fields that are to be this side's in the lab; null where they are not what the plan says. */
function changedFields(planned: PlannedProject, local: Fields): Fields | null {
  const changed: Record<string, unknown> = {};
  for (const { field, here: own, stays } of planned.fields) {
    if (canonical(local[field]) !== own) return null;
    if (stays === 'here') changed[field] = local[field];
  }
  return changed;
}

/** Whether the lab has something else by now in a field that this side's is to replace, or nothing of it. */
function isOther(planned: PlannedProject, there: Fields | null | undefined): boolean {
  return planned.fields.some(
    ({ field, there: was, stays }) => stays === 'here' && canonical(there?.[field]) !== was,
  );
}

/**
 * Moves the baseline to the fields that were sent, and those that the plan calls alike: later edits of either side are
 * changes. Projects that go into another one are not compared.
 */
async function noteBaseline(
  planned: PlannedProject,
  sent: Fields,
  lab: string,
  baseline: SyncBaseline,
): Promise<void> {
  if (planned.into !== planned.id) return;
  await baseline.note(lab, planned.id, { ...planned.same, ...marksOf(sent) });
}

function notSent(planned: PlannedDevice, problem: string | null): PushedDevice {
  const { id, name, present, removed } = planned;
  return { id, name, sent: 0, present, removed, corrections: 0, rows: [], problem };
}
