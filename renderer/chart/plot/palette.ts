import { KEY_DASHES, type KeyDash } from '#shared/domain/key-looks.ts';

/**
 * Line colours, light and dark: each at least 4.5:1 against its background, because axes have their labels in
 * them too (WCAG 1.4.3), and any two far enough apart to be
 * told from one another in ordinary sight and in the three kinds of colour blindness (test/unit/renderer/chart/plot/palette.test.ts
 * computes it). From the fifth line on a dash says it too, so that nothing hangs on colour alone.
 */
const LIGHT = ['#015573', '#ca490f', '#6941d9', '#178647', '#940a44', '#2a6ec2', '#6a4101', '#556066'];
const DARK = ['#5ee4fd', '#ee800e', '#9d8bfb', '#78d776', '#f582ac', '#6fb7f4', '#ffd43c', '#d3dadd'];

const DASH = [8, 4];
const DOTS = [2, 3];
const DASH_DOT = [10, 3, 2, 3];
const LONG_DASH = [18, 5];
/** For each half of the colours in turn: none for the first four lines, and each colour comes back with another one. */
const DASHES: readonly (readonly number[])[] = [[], DASH, DOTS, DASH_DOT, LONG_DASH, DOTS];
const HALF = 4;

/** Looks of lines that all differ: a colour, and a dash in pixels (line, gap, …); an empty one is a whole line. */
export const LOOKS = DASHES.length * HALF;

export interface ChartColors {
  readonly line: (look: number) => string;
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

const FORCED: typeof SCHEMES = {
  light: { line: lineOf(LIGHT), text: 'CanvasText', grid: 'GrayText' },
  dark: { line: lineOf(DARK), text: 'CanvasText', grid: 'GrayText' },
};

/** The same where the system forces its colours, which has text and grid by their names; its background is light or dark. */
export function forcedColors(background: 'light' | 'dark'): ChartColors {
  return FORCED[background];
}

/** The dash of a look. */
export function lineDash(look: number): readonly number[] {
  if (look >= CHOSEN) return CHOSEN_DASHES[KEY_DASHES[Math.floor((look - CHOSEN) / LIGHT.length)] ?? 'solid'];
  return DASHES[Math.floor((look % LOOKS) / HALF)] ?? [];
}

/** Looks from here on are those that only a person chooses. */
const CHOSEN = 1_000;
const CHOSEN_DASHES: Readonly<Record<KeyDash, readonly number[]>> = { solid: [], dashed: DASH, dotted: DOTS };

export interface ChosenLook {
  /** A slot of the palette. */
  readonly colour: number | null;
  readonly dash: KeyDash | null;
}

/** The look that a person chose, as far as they did; `look` says the rest. */
export function chosenLook({ colour, dash }: ChosenLook, look: number): number {
  if (colour === null && dash === null) return look;
  const slot = colour ?? look % LIGHT.length;
  const chosen = CHOSEN + KEY_DASHES.indexOf(dash ?? 'solid') * LIGHT.length + slot;
  const alike = Array.from({ length: LOOKS }, (_, known) => known).find(
    (known) => known % LIGHT.length === slot && lineDash(known).join() === lineDash(chosen).join(),
  );
  return alike ?? chosen;
}

/**
 * Gives each key that is drawn a look of its own, by key: the one it has had, or else the one of its place among all keys
 * of its device, so that a key keeps its colour whatever is picked beside it. `known` is what keys have had, and learns.
 */
export function lookOf(
  drawn: readonly string[],
  all: readonly string[],
  known: Map<string, number>,
  chosen: (key: string) => ChosenLook = () => UNCHOSEN,
): readonly number[] {
  const taken = new Set<number>();
  const looks = new Map<string, number>();
  const settle = (key: string, wanted: number) => {
    let look = wanted % LOOKS;
    // More keys than looks: of those that are drawn together none shares one, as long as there are enough.
    while (taken.has(look) && taken.size < LOOKS) look = (look + 1) % LOOKS;
    taken.add(look);
    looks.set(key, look);
    known.set(key, look);
  };
  // What a person chose stands, even where two keys then look the same.
  for (const key of drawn) {
    const { colour, dash } = chosen(key);
    if (colour === null) continue;
    const look = chosenLook({ colour, dash }, 0);
    taken.add(look);
    looks.set(key, look);
  }
  for (const key of drawn) {
    if (looks.has(key)) continue;
    const had = known.get(key);
    if (had !== undefined && !taken.has(had)) settle(key, had);
  }
  for (const key of drawn) if (!looks.has(key)) settle(key, Math.max(0, all.indexOf(key)));
  return drawn.map((key) => {
    const { dash } = chosen(key);
    const look = looks.get(key) ?? 0;
    return dash === null ? look : chosenLook({ colour: null, dash }, look);
  });
}

const UNCHOSEN: ChosenLook = { colour: null, dash: null };

function lineOf(lines: readonly string[]): (look: number) => string {
  return (look) => lines[(look - (look >= CHOSEN ? CHOSEN : 0)) % lines.length] ?? '#888888';
}
