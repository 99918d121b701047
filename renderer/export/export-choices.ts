import type { View } from '#shared/domain/corrections.ts';
import { FORMAT_NAMES, type ExportFormat, type ExportStyle } from '#shared/domain/file-formats.ts';
import type { InputOf } from '#shared/operations/index.ts';
import { formatMicros } from '#shared/values/time.ts';
import type { Route } from '../router.ts';
import type { TimeSpan } from '../chart/time/window.ts';
import { viewOf } from '../chart/view.ts';
import { localZone } from '../time.ts';

export interface ExportChoices {
  readonly span: 'this' | 'all';
  readonly keys: 'shown' | 'all';
  /** Null: as the device has corrections or not. */
  readonly view: View | null;
  readonly format: ExportFormat;
  readonly times: 'utc' | 'local';
  readonly delimiter: ',' | ';' | '\t';
  readonly decimal_mark: '.' | ',';
  readonly titles: 'keys' | 'shown';
  readonly notes: boolean;
  readonly formulas: 'keep' | 'escape';
}

/** Default choices. */
export const FIRST_CHOICES: ExportChoices = {
  span: 'all',
  keys: 'all',
  view: null,
  format: 'csv',
  times: 'utc',
  delimiter: ',',
  decimal_mark: '.',
  titles: 'keys',
  notes: false,
  formulas: 'keep',
};

/** State of the device's chart, as far as its address has it. */
export interface ShownNow {
  readonly span: TimeSpan | null;
  readonly keys: readonly string[] | null;
  /** Whether it hides any of its lines: a file of what is seen lacks them, too. */
  readonly hides: boolean;
  /** The view that its times are of. */
  readonly view: View;
}

/** Returns the state of the chart, choices there first. */
export function shownNow(
  route: Route,
  device_id: string,
  given: { readonly span?: TimeSpan | undefined; readonly keys?: readonly string[] | undefined },
): ShownNow {
  const chart = route.screen === 'device' && route.device_id === device_id ? route.chart : undefined;
  const { window, keys = [], hidden = [], view = 'corrected' } = chart ?? {};
  const drawn = given.keys ?? keys.filter((key) => !hidden.includes(key));
  return {
    span: given.span ?? window ?? null,
    keys: drawn.length > 0 ? drawn : null,
    hides: hidden.length > 0 && drawn.length > 0,
    view: viewOf(view),
  };
}

export type ExportInput = InputOf<'records.estimate'>;

export function inputOf(
  of: { readonly project_id: string; readonly device_id: string },
  choices: ExportChoices,
  shown: Pick<ShownNow, 'span' | 'keys'>,
): ExportInput {
  const { format, delimiter, decimal_mark, titles, notes, formulas } = choices;
  const chosen: Pick<ExportInput, ExportStyle> = {
    ...(choices.times === 'local' && { zone: localZone() }),
    ...(delimiter !== ',' && { delimiter }),
    ...(decimal_mark !== '.' && { decimal_mark }),
    ...(titles !== 'keys' && { titles }),
    ...(notes && { notes: 'keep' as const }),
    ...(formulas !== 'keep' && { formulas }),
  };
  const taken = FORMAT_NAMES[format].styles.map((style) => [style, chosen[style]] as const);
  return {
    ...of,
    format,
    ...(choices.span === 'this' &&
      shown.span && { start: formatMicros(shown.span.from), end: formatMicros(shown.span.to) }),
    ...(choices.keys === 'shown' && shown.keys && { keys: shown.keys.join(',') }),
    ...(choices.view !== null && { view: choices.view }),
    ...Object.fromEntries(taken.filter(([, value]) => value !== undefined)),
  };
}
