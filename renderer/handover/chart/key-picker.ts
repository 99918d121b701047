import type { PageKey } from '#shared/handover/page-facts.ts';
import { nameWithUnit } from '../../components/facts/key-words.ts';
import { el, said, show } from '../parts/dom.ts';

interface Picked {
  readonly keys: readonly string[];
  readonly chosen: readonly string[];
  readonly keyOf: (key: string) => PageKey;
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Keys of a list that need no search. */
const FEW = 12;

/** Which keys are drawn and read out: ticks behind a word that says how many. */
export function keyPicker({ keys, chosen, keyOf, onChange }: Picked): HTMLElement {
  const ticked = new Set(chosen);
  const summary = el('summary', {});
  const list = el('div', { class: 'ticks' });
  const say = () => show(summary, `Keys: ${ticked.size} of ${keys.length}`);
  const fill = (words: string) =>
    show(
      list,
      keys
        .filter((key) => `${key} ${keyOf(key).shown_as}`.toLowerCase().includes(words.toLowerCase()))
        .map((key) => {
          const tick = el('input', { type: 'checkbox', checked: ticked.has(key), value: key });
          tick.addEventListener('change', () => {
            if (tick.checked) ticked.add(key);
            else ticked.delete(key);
            say();
            onChange(keys.filter((one) => ticked.has(one)));
          });
          return el('label', {}, tick, said(nameWithUnit(key, keyOf(key))));
        }),
    );
  say();
  fill('');
  const search = el('input', { type: 'search', 'aria-label': 'Search keys', placeholder: 'Search keys' });
  search.addEventListener('input', () => fill(search.value));
  return el('details', { class: 'picker' }, summary, keys.length > FEW ? search : null, list);
}
