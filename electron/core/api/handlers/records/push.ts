import { Refusal } from '../../../base/errors.ts';
import { createLabClient } from '../../../push/lab-client.ts';
import { reachOf, type GivenLab } from '../../../push/reach.ts';
import { LabLost, LabRefusal, type Lab } from '../../../push/lab.ts';
import { planPush } from '../../../push/plan.ts';
import { runPush } from '../../../push/run.ts';
import type { OwnProject } from '../../../push/sides.ts';
import type { Address } from '../../../remote/address.ts';
import { RemoteError } from '../../../remote/failure.ts';
import type { StoredProject } from '../../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../../store/metadata/metadata.ts';
import { versionsOf } from '../../../sync/correction-versions.ts';
import type { Progress } from '../../../work/jobs.ts';
import { mayTouch, requireOwner } from '../../authorize.ts';
import type { Principal } from '../../call.ts';
import type { Context, HandlersOf } from '../../context.ts';

export const pushHandlers: HandlersOf<'push'> = {
  async 'push.plan'({ input, principal, signal }, context) {
    requireOwner(principal);
    const { metadata, records, baseline, clock, surveys } = context;
    const { removed, conflicts, into, project_ids } = input;
    const own = await ownProjects(project_ids, principal, context);
    const { installation_id } = await metadata.read((tables) => tables.settings());
    const data = await asJob(input, own, 'devices', context, signal, (lab, progress, stop, to) =>
      planPush({
        to,
        lab,
        installation_id,
        own,
        baseline,
        at: clock.now(),
        removed,
        conflicts,
        into,
        progress,
        records,
        semaphore: surveys.of(principal.key_id),
        signal: stop,
      }),
    );
    return { data };
  },

  async 'push.run'({ input, principal, signal }, context) {
    requireOwner(principal);
    const { plan } = input;
    const { records, baseline, clock, surveys } = context;
    const ids = new Set(plan.projects.map(({ id }) => id));
    const every = await ownProjects(undefined, principal, context);
    const own = every.filter(({ project }) => ids.has(project.id));
    const data = await asJob(input, own, 'records', context, signal, (lab, progress, stop) =>
      runPush({
        plan,
        lab,
        own,
        baseline,
        now: clock.now(),
        progress: (done) => progress(done, plan.send),
        records,
        semaphore: surveys.of(principal.key_id),
        signal: stop,
      }),
    );
    return { data };
  },
};

/** Works with a lab as a job. Rejects with a Refusal where that cannot be reached or refuses all of it. */
async function asJob<T>(
  given: GivenLab,
  own: readonly OwnProject[],
  unit: 'devices' | 'records',
  { jobs, default_account_id, otherServices }: Pick<Context, 'jobs' | 'default_account_id' | 'otherServices'>,
  signal: AbortSignal | undefined,
  work: (lab: Lab, progress: Progress, signal: AbortSignal, to: string) => Promise<T>,
): Promise<T> {
  const { to, address, keyAndCertificate } = reachOf(given, otherServices);
  const [only, ...others] = own;
  const start = {
    kind: 'push',
    account_id: only?.project.account_id ?? default_account_id,
    project_id: only && others.length === 0 ? only.project.id : '',
    device_id: null,
    name: unit === 'devices' ? `plan for ${address.host}` : `to ${address.host}`,
    unit,
    total: null,
    stop: new AbortController(),
  } as const;
  return jobs.run(
    start,
    async (progress, stop) => {
      try {
        const lab = createLabClient({ address, ...(await keyAndCertificate(stop)), signal: stop });
        try {
          return await work(lab, progress, stop, to);
        } finally {
          lab.close();
        }
      } catch (error) {
        throw asRefusal(error, address);
      }
    },
    signal,
  );
}

function asRefusal(error: unknown, { host }: Address): unknown {
  if (error instanceof LabLost || error instanceof RemoteError) return new Refusal(503, error.message);
  if (!(error instanceof LabRefusal)) return error;
  if (error.status === 401) return new Refusal(403, `${host} does not take this API key: ${error.message}`);
  if (error.status === 404)
    return new Refusal(
      400,
      `to must be the address of a Fieldbench that takes pushes; ${host} runs with --strict, or is an earlier one.`,
    );
  return new Refusal(403, `${host} refuses the push: ${error.message}`);
}

async function ownProject(tables: Tables, project: StoredProject): Promise<OwnProject> {
  const of = { project_id: project.id };
  const devices = await tables.list('devices', of);
  const standing = Map.groupBy(await tables.list('corrections', of), ({ device_id }) => device_id);
  const former = Map.groupBy(await tables.list('correction_history', of), ({ device_id }) => device_id);
  const corrections = new Map(
    devices.flatMap(({ id }) => {
      const versions = versionsOf(standing.get(id) ?? [], former.get(id) ?? []);
      return versions.length === 0 ? [] : [[id, versions] as const];
    }),
  );
  const rows = {
    functions: await tables.list('functions', of),
    key_settings: await tables.list('key_settings', of),
    notes: await tables.list('notes', of),
    widgets: await tables.list('widgets', of),
    alarms: await tables.list('alarms', of),
  };
  return { project, devices, corrections, rows };
}

async function ownProjects(
  ids: readonly string[] | undefined,
  principal: Principal,
  { metadata }: Pick<Context, 'metadata'>,
): Promise<readonly OwnProject[]> {
  return metadata.read(async (tables) => {
    const projects = await tables.list('projects', { account_id: principal.account_id });
    const own: OwnProject[] = [];
    for (const id of ids ?? [])
      if (!projects.some((project) => project.id === id))
        throw new Refusal(404, `Project "${id}" not found.`);
    for (const project of projects)
      if (mayTouch(principal, project) && (ids?.includes(project.id) ?? true))
        own.push(await ownProject(tables, project));
    return own;
  });
}
