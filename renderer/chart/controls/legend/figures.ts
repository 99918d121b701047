import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { formatCount } from '../../../format.ts';

/* The figures of a key in a span, as legends, reports and pages that are handed over have them. */

/** Writes a number of a line as its key or its settings ask for; what was computed of several has more digits. */
export type Write = (value: number, kind?: 'computed') => string;

/** A figure of the span that is seen. */
export interface FigureColumn {
  readonly id: string;
  readonly label: string;
  /** What it is, for who points at its head. */
  readonly about: string;
  readonly text: (statistics: KeyStatistics, write: Write) => string;
  /** The number to its last digit; null where the text has it. */
  readonly exact: (statistics: KeyStatistics) => number | null;
  /** Its head among copied ones, where that is not its label. */
  readonly copied?: string;
  /** Whether it is shown until somebody chooses. */
  readonly isUsual: boolean;
}

const NOTHING = '–';

function numberColumn(
  id: 'min' | 'max' | 'mean' | 'sd' | 'p5' | 'p95' | 'last',
  about: string,
  isUsual: boolean,
): FigureColumn {
  return {
    id,
    label: id,
    about,
    isUsual,
    text(statistics, write) {
      const value = statistics[id];
      if (value === null) return NOTHING;
      return id === 'mean' || id === 'sd' ? write(value, 'computed') : write(value);
    },
    exact: (statistics) => statistics[id],
  };
}

export const FIGURES: readonly FigureColumn[] = [
  {
    id: 'n',
    label: 'n',
    about: 'Numbers in this span',
    isUsual: false,
    text: ({ count }) => formatCount(count),
    exact: ({ count }) => count,
  },
  numberColumn('min', 'Smallest', true),
  numberColumn('max', 'Largest', true),
  numberColumn('mean', 'Mean', true),
  numberColumn('sd', 'Standard deviation of a sample', false),
  numberColumn('p5', '5 % are not above', false),
  numberColumn('p95', '95 % are not above', false),
  numberColumn('last', 'Last of this span', false),
  {
    id: 'gaps',
    label: 'gaps',
    about: 'Silences of more than ten of its usual intervals',
    isUsual: true,
    text: ({ gaps }) => formatCount(gaps),
    exact: ({ gaps }) => gaps,
  },
  {
    id: 'rate',
    label: 'rate',
    about: 'How often it comes, from the first to the last',
    copied: 'rate (/s)',
    isUsual: false,
    text: ({ rate_per_s: rate }) => (rate === null ? NOTHING : rateText(rate)),
    exact: ({ rate_per_s: rate }) => rate,
  },
];

/** `5.0 /s`, `12 /min`, `1.5 /h`, `3 /d`. */
function rateText(perSecond: number): string {
  const units = [
    ['s', 1],
    ['min', 60],
    ['h', 3_600],
  ] as const;
  const [unit, seconds] = units.find(([, size]) => perSecond * size >= 0.995) ?? ['d', 86_400];
  const rate = perSecond * seconds;
  const digits = rate >= 99.5 ? 0 : rate >= 9.95 ? 1 : 2;
  return `${Number(rate.toFixed(digits)).toLocaleString('en')} /${unit}`;
}
