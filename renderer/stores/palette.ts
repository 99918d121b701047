import { createSpotlight } from '@mantine/spotlight';
import { useDialog } from './dialog.ts';

/** Whether the palette is open: it may be asked for before its code has come. */
export const [paletteStore, palette] = createSpotlight();

/**
 * Returns whether a dialog or the palette has the keys, as it has from the moment it is asked for: what gets the focus may be drawn
 * later, as its code has not come or the machine is busy.
 */
export const hasKeysOverScreen = (): boolean =>
  useDialog.getState().open !== null || paletteStore.getState().opened;
