import type { HandlersOf } from '../../context.ts';
import { findAlerts } from '../../devices/find-alerts.ts';
import { projectsOf } from '../../devices/find-projects.ts';

export const alertHandlers: HandlersOf<'alerts'> = {
  async 'alerts.list'({ input, principal }, context) {
    return { data: await findAlerts(await projectsOf(principal, context), input, context) };
  },
};
