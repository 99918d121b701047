import { RULE } from '#shared/domain/rule-names.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { may } from '../../bridge/distant.ts';
import { createResource } from '../resource.ts';

const NONE: readonly DeviceFunction[] = [];

/** The rules of a project, of one device and by tag, by the project's id; none where the service has no such thing. */
export const rules = createResource<readonly DeviceFunction[], string>({
  async read(project_id) {
    if (!may('functions.list')) return NONE;
    const all = await ask('functions.list', { project_id });
    return all.filter(({ type }) => type === RULE);
  },
  changes: (project_id, changed) => bridge.subscribe('functions.changed', changed, { project_id }),
  restMs: 250,
});
