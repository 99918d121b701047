import type { HandlersOf } from '../context.ts';
import { EncodedJson } from '../call.ts';

export const dataHandlers: HandlersOf<'data'> = {
  async 'data.list'({ input, device }, { records }) {
    const { page, limit, time, keys } = input;
    const { total, json, borrowed } = await records.page(device.id, {
      offset: (page - 1) * limit,
      limit,
      range: time,
      ...(keys && { keys }),
    });
    return { data: new EncodedJson(json, borrowed), page: { page, limit, total } };
  },

  async 'data.keys'({ device }, { records }) {
    return { data: [...(await records.keys(device.id))] };
  },

  async 'data.purge'({ project, device }, { records, clock, events, jobs }) {
    const { id, project_id } = device;
    const { account_id } = project;
    const job = {
      kind: 'purge',
      account_id,
      project_id,
      device_id: id,
      unit: 'records',
      total: null,
    } as const;
    const removed = await jobs.run(job, () => records.purge(id, clock.now()));
    events.publish('records.removed', { account_id, project_id, device_id: id });
    return { data: { deleted: { records: removed } } };
  },
};
