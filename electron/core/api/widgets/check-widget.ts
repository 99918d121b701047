import { MOST_WIDGETS, problemOfWidget } from '#shared/domain/dashboard.ts';
import { badRequest } from '../../base/errors.ts';
import type { StoredProject, StoredWidget } from '../../store/metadata/metadata-schema.ts';
import type { Tables } from '../../store/metadata/metadata.ts';
import type { Context } from '../context.ts';

/* Rules of widgets (docs/dashboards.md). */

/** Throws a 400 Refusal where `layout` or `range` is not as the type has it; any other type may have what it likes. */
export function requireShape(given: Pick<StoredWidget, 'type' | 'layout' | 'range'>, at = ''): void {
  const problem = problemOfWidget(given);
  if (problem !== null) throw badRequest(at + problem);
}

/** Rejects with a 400 Refusal that names the first source whose device is not of the project. */
export async function requireDevices(
  tables: Tables,
  project_id: string,
  sources: readonly { readonly device_id: string }[],
): Promise<void> {
  for (const [place, { device_id }] of sources.entries()) {
    if ((await tables.get('devices', device_id))?.project_id !== project_id)
      throw badRequest(
        `sources.${place}.device_id must be the id of a device of this project, got "${device_id}"`,
      );
  }
}

/** Rejects with a 400 Refusal where the project would hold more widgets than it may. */
export async function requireRoomForWidgets(tables: Tables, project_id: string, more: number): Promise<void> {
  if ((await tables.count('widgets', { project_id })) + more > MOST_WIDGETS)
    throw badRequest(`a project holds at most ${MOST_WIDGETS} widgets; delete some first`);
}

export function announceWidgets(
  { account_id, id: project_id }: Pick<StoredProject, 'account_id' | 'id'>,
  { events }: Pick<Context, 'events'>,
): void {
  events.publish('widgets.changed', { account_id, project_id });
}
