import type { Doubt } from '#shared/operations/records/records.ts';
import { KIND_LABELS } from './import-options.ts';
import { zoneLabel } from './zones.ts';

const WORDS: Readonly<Record<string, string>> = {
  ...KIND_LABELS,
  'day-first': 'Day first',
  'month-first': 'Month first',
  'year-first': 'Year first, two digits',
  'full-year-first': 'Year first, four digits',
  '.': 'Point: 1,000.5',
  ',': 'Comma: 1.000,5',
};

/** Answers to what options alone do not say: the present one, and the other. */
const ANSWERS: Readonly<Partial<Record<Doubt['setting'], readonly [string, string]>>> = {
  missing_words: ['A number', 'No value'],
  text_columns: ['Numbers', 'As they are written'],
};

/** Returns the answer that a person gives by the option of a doubt at a place. */
export function answerWords({ setting, options }: Pick<Doubt, 'setting' | 'options'>, place: number): string {
  const option = options[place] ?? '';
  if (setting === 'missing_words' && options.length > 2)
    return place === 0 ? 'Numbers' : `No value: ${option.split(',').slice(1).join(', ')}`;
  const answer = ANSWERS[setting]?.[Math.min(place, 1)];
  if (answer !== undefined) return answer;
  if (setting === 'zone') return zoneLabel(option);
  if (setting === 'first_line') return `Line ${option}`;
  if (setting === 'header') return option === 'yes' ? 'Names' : 'Data';
  return WORDS[option] ?? option;
}
