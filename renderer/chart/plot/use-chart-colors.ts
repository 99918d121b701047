import { useComputedColorScheme } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { chartColors, forcedColors, type ChartColors } from './palette.ts';

/**
 * The colours of a chart on the screen: those of the theme, or what goes with the system's own where it forces its colours
 * on everything that is no picture (Windows' contrast themes): a canvas keeps its own over a background that is not.
 */
export function useChartColors(): ChartColors {
  const scheme = useComputedColorScheme('light');
  const isForced = useMediaQuery('(forced-colors: active)', false, NOW);
  const isDark = useMediaQuery('(prefers-color-scheme: dark)', false, NOW);
  return isForced ? forcedColors(isDark ? 'dark' : 'light') : chartColors(scheme);
}

/** Nothing is drawn on a server first. */
const NOW = { getInitialValueInEffect: false };
