export const KEY_DASHES = ['solid', 'dashed', 'dotted'] as const;
export type KeyDash = (typeof KEY_DASHES)[number];
export const KEY_AXES = ['left', 'right'] as const;
