import type { Widget } from '#shared/schema/schemas.ts';
import { ask } from '../../bridge/ask.ts';
import { bridge } from '../../bridge/bridge.ts';
import { createResource } from '../resource.ts';

/** The widgets of a project, oldest first, by the project's id. */
export const widgets = createResource<readonly Widget[], string>({
  read: (project_id) => ask('widgets.list', { project_id }),
  changes(project_id, changed) {
    const stops = [
      bridge.subscribe('widgets.changed', changed, { project_id }),
      // A device that goes, comes back or moves takes its widgets along.
      bridge.subscribe('devices.changed', changed, { project_id }),
      bridge.subscribe('undo.changed', changed, { project_id }),
      bridge.subscribe('projects.changed', changed, { project_id }),
    ];
    return () => stops.forEach((stop) => stop());
  },
  restMs: 250,
});
