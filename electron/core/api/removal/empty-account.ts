import type { Held } from '#shared/operations/metadata/accounts.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import type { WritableTables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';
import { announceTaken } from '../../functions/announce.ts';
import { workOf } from '../under-way.ts';
import { runDeletion, type Remover } from './pending.ts';
import { idsOf, noteForGood, takeProject } from './taking.ts';

/**
 * Removes for good what an account holds, but for its API keys: projects with their devices and records, what was deleted of them,
 * views, requests, faults. One change of the metadata, which `together` is part of, decides it; a start after a crash removes the
 * records. Resolves with what was there and not deleted. Rejects as `together` does, before anything is gone.
 */
export async function emptyAccount(
  account_id: string,
  context: Remover & Pick<Context, 'requests' | 'faults' | 'simulators' | 'uploads'>,
  together: (tables: WritableTables) => Awaitable<void> = () => {},
): Promise<Held> {
  const { metadata, events, requests, faults, simulators, uploads, work } = context;
  const { deletions, live, projects } = await metadata.change(async (tables) => {
    await together(tables);
    for (const { id } of await tables.list('views', { account_id })) await tables.remove('views', id);
    return takeProjects(tables, account_id);
  });
  // A device of the same id may come back: of a seed file.
  await simulators.endAccount(account_id);
  let records = 0;
  for (const { rows, deletion } of deletions) {
    const gone = await work.during(workOf(deletion), () => runDeletion(account_id, deletion, context));
    for (const [device, count] of gone) if (live.has(device)) records += count;
    const { project_id } = deletion;
    announceTaken({ account_id, project_id }, rows, context);
    events.publish('projects.changed', { account_id, project_id });
    events.publish('undo.changed', { account_id, project_id });
  }
  requests.forgetAccount(account_id);
  faults.end(account_id);
  uploads.forgetAccount(account_id);
  return { projects, devices: live.size, records };
}

/** Takes the projects of an account out of the tables, those too of which only deleted things are left. */
async function takeProjects(tables: WritableTables, account_id: string) {
  const projects = new Set((await tables.list('projects', { account_id })).map(({ id }) => id));
  const kept = await tables.list('kept_deletes', { account_id });
  const live = new Set<string>();
  const deletions = [];
  for (const project_id of new Set([...projects, ...kept.map((row) => row.project_id)])) {
    const rows = projects.has(project_id) ? (await takeProject(tables, project_id)).rows : {};
    const device_ids = idsOf(rows, 'devices');
    for (const id of device_ids) live.add(id);
    const deletion = await noteForGood(tables, { kind: 'project', project_id, device_ids });
    deletions.push({ rows, deletion });
  }
  return { deletions, live, projects: projects.size };
}
