import { createSpotlight } from '@mantine/spotlight';

/** Whether the palette is open: it may be asked for before its code has come. */
export const [paletteStore, palette] = createSpotlight();
