import { STATISTICS } from '../../../survey/statistics.ts';
import { surveyDevice } from '../../../survey/survey-device.ts';
import type { HandlersOf } from '../../context.ts';
import { figureRules, NO_FIGURES, statisticsView } from '../../devices/key-statistics.ts';
import { rangeOf } from '../../range.ts';
import { viewed } from '../../corrections/viewed.ts';

export const statisticsHandlers: HandlersOf<'statistics'> = {
<<<<<<< HEAD
  async 'statistics.get'({ input, project, device, principal, signal }, context) {
    const { records, surveys } = context;
    const known = (await records.summary(device.id, signal)).keys;
    const asked = input.keys ?? known.flatMap(({ key, numeric }) => (numeric > 0 ? key : []));
    const names = new Set(known.map(({ key }) => key));
    const keys = asked.filter((key) => names.has(key));
    const of = { project_id: project.id, device_id: device.id, keys };
    const { pauses, normal } = await figureRules(context, of);
=======
  async 'statistics.get'({ input, project, device, principal, signal }, { metadata, records, surveys }) {
    const of = await viewed(device.id, input.view, { metadata });
    const known = (await records.summary(of, signal)).keys;
    const asked = input.keys ?? known.flatMap(({ key, numeric }) => (numeric > 0 ? key : []));
    const names = new Set(known.map(({ key }) => key));
    const keys = asked.filter((key) => names.has(key));
    const intervals = await records.intervals(of, keys);
    const settings = await metadata.read((tables) =>
      tables.list('key_settings', { project_id: project.id, device_id: device.id }),
    );
    const given = new Map(settings.map((one) => [one.key, one]));
    const pauses = keys.map((key, place) => {
      const seconds = given.get(key)?.longest_gap_s ?? null;
      const interval = intervals[place] ?? Number.NaN;
      if (seconds !== null) return seconds * 1e6;
      return Number.isNaN(interval) ? null : interval * PAUSE_FACTOR;
    });
    const normal = keys.map((key) => {
      const { low = null, high = null } = given.get(key) ?? {};
      return { low, high };
    });
>>>>>>> 9018b5672ca1fe9f5985aa0b4185890ed1859bd2
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
