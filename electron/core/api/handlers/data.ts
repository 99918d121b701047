import type { Handlers } from '../context.ts';
import { EncodedJson } from '../call.ts';
import { pageHeaders } from '../pagination.ts';

export const dataHandlers: Handlers<'data'> = {
  async 'data.list'({ input, device }, { records }) {
    const { page, limit, time, keys, asked } = input;
    const {
      total,
      json,
      borrowed: lent,
    } = await records.page(device.id, {
      offset: (page - 1) * limit,
      limit,
      range: time,
      ...(keys && { keys }),
    });
    const path = `/v2/projects/${device.project_id}/devices/${device.id}/data`;
    const rest = keys ? { ...asked, keys: keys.join(',') } : asked;
    return {
      data: new EncodedJson(json, lent),
      headers: pageHeaders(path, rest, { page, limit, total }),
    };
  },

  async 'data.keys'({ device }, { records }) {
    return { data: [...(await records.keys(device.id))] };
  },

  async 'data.purge'({ device }, { records, clock, events, jobs, deviceWork }) {
    const { id, project_id } = device;
    const job = { kind: 'purge', project_id, device_id: id, unit: 'records', total: null } as const;
    const removed = await deviceWork.run(id, () => jobs.run(job, () => records.purge(id, clock.now())));
    events.publish('records.removed', { project_id, device_id: id });
    return { data: { deleted: { records: removed } } };
  },
};
