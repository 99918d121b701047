import { notFound } from '../../../base/errors.ts';
import { findAlarms, findAlarmsOfAll, viewOf } from '../../alarms/find-alarms.ts';
import type { HandlersOf } from '../../context.ts';
import { projectsOf } from '../../devices/find-projects.ts';
import { authorOf } from '../../principal.ts';

export const alarmHandlers: HandlersOf<'alarms'> = {
  'alarms.list': ({ input, project }, context) => findAlarms(project, input, context),

  async 'alarms.all'({ input, principal }, context) {
    return { data: await findAlarmsOfAll(await projectsOf(principal, context), input, context) };
  },

  async 'alarms.acknowledge'({ input, project, alarm, principal }, context) {
    const { account_id, id: project_id } = project;
    const { metadata, clock, events } = context;
    const view = await metadata.change(async (tables) => {
      const by = await authorOf(principal, tables, context);
      const now = clock.now();
      const acknowledged = { at: now, by, text: input.text };
      const row = await tables.patch('alarms', alarm.id, { acknowledged });
      if (!row) throw notFound('Alarm');
      return viewOf(row, project, tables, now);
    });
    events.publish('alarms.changed', { account_id, project_id, device_id: alarm.device_id });
    return { data: view };
  },
};
