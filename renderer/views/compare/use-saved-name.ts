import { views } from '../../stores/views.ts';
import { addressOf } from '../../router.ts';
import type { CompareShown } from './compare-address.ts';

/** By which name what is compared was saved; null where it was not, or is looked at in another way by now. */
export function useSavedName(shown: CompareShown): string | null {
  views.useWatch('all');
  const address = addressOf({ screen: 'compare', ...shown });
  return views.useValue('all').value?.find((view) => view.address === address)?.name ?? null;
}
