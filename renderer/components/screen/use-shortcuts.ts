import { useHotkeys } from '@mantine/hooks';
import { isOverScreen } from '../../stores/actions.ts';

/** Elements that use the arrows while focused. */
const OWN_ARROWS = '[role="tablist"]';

/** The keys of a screen, as Mantine names them: silent while a dialog or the palette is open or something else has a use for the key. */
export function useShortcuts(keys: Readonly<Record<string, () => void>>): void {
  useHotkeys(
    Object.entries(keys).map(([key, act]) => [
      key,
      (event) => {
        const isArrow = event.key.startsWith('Arrow');
        if (isOverScreen(event) || (isArrow && (event.target as Element).closest(OWN_ARROWS))) return;
        event.preventDefault();
        act();
      },
      { preventDefault: false },
    ]),
  );
}
