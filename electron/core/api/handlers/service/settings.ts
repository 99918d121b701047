import type { HandlersOf } from '../../context.ts';
import { PREFERENCES, preferencesOf } from '../../preferences.ts';

export const settingsHandlers: HandlersOf<'settings'> = {
  async 'settings.get'(_, { metadata }) {
    return { data: await metadata.read(preferencesOf) };
  },

  async 'settings.update'({ input: { keep_days, keep_v2_deletes } }, { metadata }) {
    const data = await metadata.change(async (tables) => {
      const before = await preferencesOf(tables);
      const row = await tables.patch('preferences', PREFERENCES, { keep_days, keep_v2_deletes });
      if (!row)
        await tables.insert('preferences', {
          id: PREFERENCES,
          keep_days: keep_days ?? before.keep_days,
          keep_v2_deletes: keep_v2_deletes ?? before.keep_v2_deletes,
        });
      return preferencesOf(tables);
    });
    return { data };
  },
};
