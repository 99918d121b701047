/**
 * Line colours, light and dark: each at least 3:1 against its background (WCAG 1.4.11) and told apart under the common
 * kinds of colour blindness (after Okabe and Ito, "Color Universal Design", 2008).
 */
const LIGHT = ['#0b7285', '#c2410c', '#6741d9', '#2b8a3e', '#a61e4d', '#1864ab', '#8a6100', '#495057'];
const DARK = ['#3bc9db', '#ff922b', '#b197fc', '#69db7c', '#f783ac', '#74c0fc', '#ffd43b', '#ced4da'];

export interface ChartColors {
  readonly line: (index: number) => string;
  readonly text: string;
  readonly grid: string;
}

const SCHEMES: Readonly<Record<'light' | 'dark', ChartColors>> = {
  light: { line: lineOf(LIGHT), text: '#495057', grid: 'rgba(0, 0, 0, 0.08)' },
  dark: { line: lineOf(DARK), text: '#c1c2c5', grid: 'rgba(255, 255, 255, 0.08)' },
};

/** The same object for the same scheme, so that a chart knows when to draw itself anew. */
export function chartColors(scheme: 'light' | 'dark'): ChartColors {
  return SCHEMES[scheme];
}

function lineOf(lines: readonly string[]): (index: number) => string {
  return (index) => lines[index % lines.length] ?? '#888888';
}
