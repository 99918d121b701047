import { useHotkeys } from '@mantine/hooks';
import { hasKeysOverScreen } from '../../stores/palette.ts';

/** Elements that use every key while focused, and those that use the arrows alone. */
const OWN_KEYS = '[role="dialog"], [role="menu"], [role="listbox"]';
const OWN_ARROWS = '[role="tablist"]';

/** The keys of a screen, as Mantine names them: silent while a dialog or the palette is open or something else has a use for the key. */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  useHotkeys(
    Object.entries(keys).map(([key, act]) => [
      key,
      (event) => {
        const owners = event.key.startsWith('Arrow') ? `${OWN_KEYS}, ${OWN_ARROWS}` : OWN_KEYS;
        if (hasKeysOverScreen() || (event.target as Element).closest(owners)) return;
        event.preventDefault();
        act();
      },
      { preventDefault: false },
    ]),
  );
}
