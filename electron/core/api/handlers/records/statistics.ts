import type { HandlersOf } from '../../context.ts';
import { surveyFigures } from '../../devices/key-statistics.ts';
import { rangeOf } from '../../range.ts';
import { viewed } from '../../corrections/viewed.ts';

export const statisticsHandlers: HandlersOf<'statistics'> = {
  async 'statistics.get'({ input, project, device, principal, signal }, context) {
    const of = await viewed(device.id, input.view, context);
    const whose = { project_id: project.id, device_id: device.id, key_id: principal.key_id };
    const asked = { ...whose, keys: input.keys, range: rangeOf(input) };
    return { data: [...(await surveyFigures(of, asked, context, signal))] };
  },
};
