import type { HandlersOf } from '../../context.ts';
import { preferencesOf } from '../../preferences.ts';
import { keepRecords } from '../../removal/keeping.ts';
import { purge } from '../../removal/purge.ts';
import { EncodedJson } from '../../call.ts';

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

  async 'data.keys'({ device, signal }, { records }) {
    return { data: [...(await records.keys(device.id, signal))] };
  },

  async 'data.purge'({ project, device, principal }, context) {
    const { keep_v2_deletes } = await context.metadata.read(preferencesOf);
    const { deleted } = keep_v2_deletes
      ? await keepRecords(project, device, null, principal, context)
      : { deleted: { records: await purge(project, device, context) } };
    return { data: { deleted } };
  },
};
