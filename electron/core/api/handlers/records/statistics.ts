import { STATISTICS } from '../../../survey/statistics.ts';
import { surveyDevice } from '../../../survey/survey-device.ts';
import type { HandlersOf } from '../../context.ts';
import { figureRules, NO_FIGURES, statisticsView } from '../../devices/key-statistics.ts';
import { rangeOf } from '../../range.ts';
import { viewed } from '../../corrections/viewed.ts';

export const statisticsHandlers: HandlersOf<'statistics'> = {
  async 'statistics.get'({ input, project, device, principal, signal }, context) {
    const { records, surveys } = context;
    const of = await viewed(device.id, input.view, context);
    const known = (await records.summary(of, signal)).keys;
    const asked = input.keys ?? known.flatMap(({ key, numeric }) => (numeric > 0 ? key : []));
    const names = new Set(known.map(({ key }) => key));
    const keys = asked.filter((key) => names.has(key));
    const whose = { project_id: project.id, device_id: device.id };
    const { pauses, normal } = await figureRules(context, whose, { of, keys });
    const query = { range: rangeOf(input), keys, pauses, normal };
    const found = await surveyDevice(STATISTICS, query, {
      records,
      device: of,
      semaphore: surveys.of(principal.key_id),
      signal,
    });
    const byKey = new Map(keys.map((key, place) => [key, found[place]]));
    return { data: asked.map((key) => statisticsView(key, byKey.get(key) ?? NO_FIGURES)) };
  },
};
