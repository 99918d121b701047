export const KEY_DASHES = ['solid', 'dashed', 'dotted'] as const;
export const KEY_AXES = ['left', 'right'] as const;
