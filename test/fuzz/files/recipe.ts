import type { Encoding } from '#shared/operations/records/records.ts';
import { Random } from './random.ts';
import { TIME_NAMES, TIME_WAYS, UNREAD_WAYS } from './times.ts';
import { COLUMNS, MISSING, SENTINELS, type NumberStyle } from './values.ts';
import { FORMS } from './forms.ts';

/** Everything that makes a file, before it is written. */
export interface Recipe {
  readonly form: string;
  readonly way: string;
  /** Of the time, and of the time of day. */
  readonly timeNames: readonly string[];
  readonly columns: readonly { readonly name: string; readonly kind: string }[];
  readonly rows: number;
  readonly startMs: number;
  readonly stepMs: number;
  readonly delimiter: ',' | ';' | '\t' | '|';
  readonly lineEnd: '\n' | '\r\n' | '\r';
  readonly encoding: Encoding;
  readonly byteOrderMark: boolean;
  readonly quotes: 'need' | 'texts' | 'all';
  readonly padded: boolean;
  readonly style: NumberStyle;
  readonly header: boolean;
  readonly counted: boolean;
  /** Another column of times, before or behind. */
  readonly received: 'no' | 'before' | 'behind';
  readonly preamble: readonly string[];
  /** Whether a spreadsheet filled these lines up to the width of the table. */
  readonly filledUp: boolean;
  /** Rows below the names, one text for each column, those of times included. */
  readonly below: readonly string[];
  readonly repeatedHead: boolean;
  readonly end: '' | '\u001A' | 'footer';
  /** Whether decimal commas stand without quotes between commas. */
  readonly bareCommas: boolean;
  /** What is said of the zone beside the times, in minutes east of UTC. */
  readonly said: {
    readonly place: 'name' | 'title' | 'column';
    readonly word: string;
    readonly minutes: number;
  } | null;
  /** What its clock did in the middle of the recording. */
  readonly clock: 'goes on' | 'goes back' | 'goes ahead';
  /** What befell the file: names that come again in another order, or an end inside the last value. */
  readonly accident: 'none' | 'named anew' | 'cut';
  readonly constants: readonly { readonly name: string; readonly text: string }[];
}

const ENCODINGS: readonly Encoding[] = ['utf-8', 'utf-8', 'utf-8', 'windows-1252', 'utf-16le', 'utf-16be'];
const NAMES = [
  'Temperatur (°C)',
  'Druck hPa',
  'Feuchte [%]',
  'value',
  'v1',
  'Größe',
  'flow',
  'Wind m/s',
  'q',
];

/** Names stand above values that have decimals, all of which their commas cut. */
const BARE_COMMAS: Partial<Recipe> = {
  delimiter: ',',
  quotes: 'need',
  header: true,
  received: 'no',
  columns: [
    { name: 'Temperatur', kind: 'tenths' },
    { name: 'Feuchte', kind: 'hundredths' },
  ],
  style: { mark: ',', thousands: '', missing: '', missingShare: 0 },
};

function accidentOf(recipe: Recipe, random: Random): Partial<Recipe> {
  if (recipe.rows < 5 || recipe.bareCommas || !random.chance(0.05)) return {};
  if (random.chance(0.5)) return recipe.header && recipe.columns.length > 1 ? { accident: 'named anew' } : {};
  const name = 'flow behind';
  const columns = [...recipe.columns, { name, kind: random.of(['tenths', 'hundredths', 'pressure']) }];
  const style = { ...recipe.style, missingShare: 0 };
  return {
    accident: 'cut',
    columns,
    style,
    quotes: 'need',
    received: 'no',
    end: '',
    below: [],
    delimiter: '\t',
  };
}

const CLOCKS = ['goes back', 'goes ahead'] as const;

const ZONES = [
  ['UTC+2', 120],
  ['UTC-03:30', -210],
  ['+05:45', 345],
  ['MEZ', 60],
  ['PST', -480],
] as const;

function saidBeside({ timeNames, preamble }: Recipe, random: Random): Partial<Recipe> {
  const [word, minutes] = random.of(ZONES);
  const place = random.of(['name', 'title', 'column'] as const);
  const named = timeNames.map((name, index) => (index === timeNames.length - 1 ? `${name} (${word})` : name));
  return {
    said: { place, word, minutes },
    ...(place === 'name' && { timeNames: named }),
    ...(place === 'title' && { preamble: [...preamble, `Time zone: ${word}`] }),
    ...(place === 'column' && { constants: [{ name: random.of(['TZ', 'UTC offset']), text: word }] }),
  };
}

/** The recipe of a seed. */
export function recipeOf(seed: number): Recipe {
  const random = new Random(seed);
  const ways = random.chance(0.03) ? UNREAD_WAYS : TIME_WAYS;
  const way = random.of(Object.keys(ways));
  const { step, names = TIME_NAMES, zoned, elapsed } = ways[way]!;
  const comma = random.chance(0.35);
  const delimiter = random.of(
    comma ? ([';', ';', '\t', '|', ','] as const) : ([',', ',', ';', '\t', '|'] as const),
  );
  const count = random.int(1, 5);
  const kinds = Array.from({ length: count }, () => random.of(Object.keys(COLUMNS)));
  const recipe: Recipe = {
    form: 'any',
    way,
    timeNames: random.of(names),
    columns: kinds.map((kind, index) => ({
      kind,
      name: `${random.of(NAMES)}${index === 0 ? '' : ` ${index + 1}`}`,
    })),
    rows: random.of([1, 2, 3, 5, 5, 20, 20, 40, 120]),
    startMs:
      Math.floor(
        Date.UTC(
          random.int(2004, 2025),
          random.int(0, 11),
          random.int(1, 28),
          random.int(0, 23),
          random.int(0, 59),
        ) / step,
      ) * step,
    stepMs: Math.max(step, random.of([1000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000])),
    delimiter,
    lineEnd: random.of(['\n', '\n', '\r\n', '\r\n', '\r'] as const),
    encoding: random.of(ENCODINGS),
    byteOrderMark: random.chance(0.5),
    quotes: random.of(['need', 'need', 'texts', 'all'] as const),
    padded: random.chance(0.1),
    style: {
      mark: comma ? ',' : '.',
      thousands: random.chance(0.2) ? random.of(['other', ' ', "'"] as const) : '',
      missing: random.chance(0.1) ? random.of(SENTINELS) : random.of(MISSING),
      missingShare: random.chance(0.3) ? 0.1 : 0,
    },
    header: random.chance(0.9),
    counted: false,
    received: random.of(['no', 'no', 'no', 'no', 'no', 'no', 'no', 'no', 'before', 'behind'] as const),
    preamble: random.chance(0.15) ? ['Logger: TX-400', 'Serial: 12345', ''].slice(0, random.int(1, 3)) : [],
    filledUp: false,
    below: [],
    repeatedHead: random.chance(0.05),
    end: random.of(['', '', '', '', '', '', '', '', '\u001A', 'footer'] as const),
    bareCommas: random.chance(0.02),
    said: null,
    clock: 'goes on',
    accident: 'none',
    constants: [],
  };
  const units = random.chance(0.1)
    ? ['', ...recipe.columns.map(() => random.of(['°C', '%', 'hPa', 'm/s']))]
    : [];
  // One row alone counts nothing.
  const counted = recipe.rows > 1 && random.chance(0.1);
  const whole = {
    ...recipe,
    counted,
    below: recipe.header && units.length > 0 ? units : [],
    ...(recipe.bareCommas && BARE_COMMAS),
    ...(recipe.header && !zoned && !elapsed && random.chance(0.08) && saidBeside(recipe, random)),
    // Minutes from 0 on beside real times, and nothing that says what they are: nobody could tell them from row numbers.
    received: elapsed && !recipe.header ? 'no' : recipe.received,
    clock: elapsed || recipe.rows < 5 || !random.chance(0.06) ? 'goes on' : random.of(CLOCKS),
  } as const;
  const harmed = { ...whole, ...accidentOf(whole, random) };
  const made = random.chance(0.3) ? { ...whole, ...random.of(FORMS)(random) } : harmed;
  // Drawn apart, so that a seed writes the other files as it did.
  return { ...made, filledUp: made.preamble.length > 0 && new Random(seed ^ 0xf111ed).chance(0.4) };
}
