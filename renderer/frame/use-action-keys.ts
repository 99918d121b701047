import { useEffect } from 'react';
import { actionOf, isOverScreen } from '../stores/actions.ts';

/** Where letters are typed. */
const TYPED_IN = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"]';
/** A field that was typed in has an undo of its own. */
const UNDO_KEYS = ['mod+z', 'mod+shift+z'];

/** Runs registered actions by key, unless a dialog or the palette is open or the focused element uses the key. */
export function useActionKeys(): void {
  useEffect(() => {
    const typedIn = new WeakSet<EventTarget>();
    const type = ({ target }: Event) => void (target && typedIn.add(target));
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isOverScreen(event)) return;
      const action = actionOf(event);
      const target = event.target instanceof Element ? event.target : null;
      if (!action) return;
      const { shortcut = '' } = action;
      const field = target?.closest(TYPED_IN);
      if (field && (UNDO_KEYS.includes(shortcut) ? typedIn.has(field) : !shortcut.startsWith('mod+'))) return;
      event.preventDefault();
      action.run();
    };
    document.addEventListener('input', type, true);
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('input', type, true);
      document.removeEventListener('keydown', press);
    };
  }, []);
}
