import type { RuleCalled } from '#shared/domain/words/rule-words.ts';
import type { KeySettings } from '#shared/operations/metadata/key-settings.ts';
import { formatValue, nameOfKey, normalText } from '../facts/key-words.ts';

/** How a rule calls keys and writes their values: by their settings. A limit is written to its last digit. */
export function ruleCalled(settingsOf: (key: string) => KeySettings): RuleCalled {
  return {
    nameOf: (key) => nameOfKey(key, settingsOf(key)),
    valueOf: (key, value) => formatValue(value, { decimals: null, unit: settingsOf(key).unit }),
    normalOf(key) {
      const settings = settingsOf(key);
      return settings.low === null && settings.high === null ? null : normalText(settings);
    },
  };
}
