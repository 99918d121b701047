import type { Doubt } from '#shared/operations/records/records.ts';
import { KIND_LABELS } from './import-options.ts';

const KINDS: Readonly<Record<string, string>> = KIND_LABELS;

/** What stands for the name of a setting, which only programs know, where its choices are buttons below. */
const ON_SCREEN: readonly (readonly [RegExp, (...found: readonly string[]) => string])[] = [
  [
    /set time_kind to "([a-z0-9-]+)" and started to that day/,
    (_, kind = '') =>
      `choose “${KINDS[kind] ?? kind}” in the head of the times, and that day as its beginning`,
  ],
  [/; set time_kind where they are something else, such as [^.]*(?=\.)/, () => ''],
  [/; set header to "no" where it is data/, () => ''],
  [/set missing_words to leave it out/, () => 'choose it as a word for missing values to leave it out'],
  [/set text_columns to keep them/, () => 'choose the columns to keep them'],
];

/** A doubt as the screen asks it: by what stands there, rather than by names of settings. */
export function doubtWords({ message }: Pick<Doubt, 'message'>): string {
  return ON_SCREEN.reduce((words, [name, on]) => words.replace(name, on), message);
}
