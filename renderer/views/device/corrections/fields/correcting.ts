import { parseInstant } from '#shared/values/time.ts';
import { storedSpans } from '../../../../chart/corrections/stored-time.ts';
import type { TimeSpan } from '../../../../chart/time/window.ts';
import { useCorrections } from '../../../../stores/corrections.ts';
import { deviceDetail, deviceKey } from '../../../../stores/devices.ts';
import type { ToCorrect } from '../../../../stores/dialog.ts';

/** What a dialog corrects. */
export interface Correcting extends Omit<ToCorrect, 'what' | 'selected'> {
  /** The spans of stored time that were selected; none where nothing was. */
  readonly spans: readonly TimeSpan[];
}

const NO_KEYS: readonly [] = [];

/** The spans of stored time that were selected; null until it is known where anything is stored. */
export function useSelectedSpans({
  project_id,
  device,
  selected,
}: Pick<ToCorrect, 'project_id' | 'device' | 'selected'>): readonly TimeSpan[] | null {
  const { list } = useCorrections(project_id, device.id);
  const isMoved = selected?.view === 'corrected' && list.some(({ kind }) => kind === 'time');
  const of = deviceKey(project_id, device.id, 'raw');
  const { value, error } = deviceDetail.useEach(isMoved ? [of] : NO_KEYS).get(of) ?? NOTHING;
  if (!selected) return NO_KEYS;
  if (isMoved && value === null && error === null) return null;
  const [from, to] = [parseInstant(value?.summary.first ?? ''), parseInstant(value?.summary.last ?? '')];
  const stored = from === null || to === null ? null : { from, to };
  return storedSpans(list, selected.span, selected.view, stored);
}

const NOTHING = { value: null, error: null };
