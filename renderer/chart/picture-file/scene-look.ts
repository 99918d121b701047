import { chartColors, lineDash } from '../plot/palette.ts';
import type { SceneLook } from './scene.ts';

/** How a scene is painted on white or on the app's dark grey; sizes in CSS pixels. */
export function sceneLook(
  scheme: 'light' | 'dark',
  sizes: Pick<SceneLook, 'width' | 'plotHeight'>,
): SceneLook {
  const { line, grid } = chartColors(scheme);
  const tones =
    scheme === 'light'
      ? { text: '#1c2126', dimmed: '#5c636a', background: '#ffffff' }
      : { text: '#c8cdd2', dimmed: '#a3aab2', background: '#1f2226' };
  return { line, dash: lineDash, grid, ...tones, ...sizes };
}
