/** Lines that can be told apart, of all devices together. */
export const MOST_LINES = 16;

export const COMPARE_MODES = [
  { value: 'overlay', label: 'Overlay' },
  { value: 'stacked', label: 'Stacked' },
  { value: 'difference', label: 'Difference' },
] as const;
export type CompareMode = (typeof COMPARE_MODES)[number]['value'];
