import type { KeyStatistics } from '#shared/operations/records/statistics.ts';
import { may } from '../../../bridge/distant.ts';
import { formatCount } from '../../../format.ts';

/** Writes a number of a line as its key or its settings ask for; what was computed of several has more digits. */
export type Write = (value: number, kind?: 'computed') => string;

/** A figure of the span that is seen. */
interface FigureColumn {
  readonly id: string;
  readonly label: string;
  /** What it is, for who points at its head. */
  readonly about: string;
  readonly text: (statistics: KeyStatistics, write: Write) => string;
  /** The number to its last digit; null where the text has it. */
  readonly exact: (statistics: KeyStatistics) => number | null;
  /** Left out first where there is little room: 3 before 2 before 1. */
  readonly rank: 1 | 2 | 3;
}

const NOTHING = '–';

function numberColumn(
  id: 'min' | 'max' | 'mean' | 'sd' | 'p5' | 'p95' | 'last',
  about: string,
  rank: 1 | 2 | 3,
): FigureColumn {
  return {
    id,
    label: id,
    about,
    rank,
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
    rank: 1,
    text: ({ count }) => formatCount(count),
    exact: () => null,
  },
  numberColumn('min', 'Smallest', 1),
  numberColumn('max', 'Largest', 1),
  numberColumn('mean', 'Mean', 1),
  numberColumn('sd', 'Standard deviation of a sample', 2),
  numberColumn('p5', '5 % are not above', 3),
  numberColumn('p95', '95 % are not above', 3),
  numberColumn('last', 'Last of this span', 2),
  {
    id: 'gaps',
    label: 'gaps',
    about: 'Silences of more than ten of its usual intervals',
    rank: 2,
    text: ({ gaps }) => formatCount(gaps),
    exact: () => null,
  },
  {
    id: 'rate',
    label: 'rate',
    about: 'How often it comes, from the first to the last',
    rank: 3,
    text: ({ rate_per_s: rate }) => (rate === null ? NOTHING : rateText(rate)),
    exact: ({ rate_per_s: rate }) => rate,
  },
];

/** Those that the service can tell: none, where it has no statistics. */
export const figuresHere = (): readonly FigureColumn[] => (may('statistics.get') ? FIGURES : []);

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
