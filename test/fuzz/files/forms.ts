import type { Random } from './random.ts';
import type { Recipe } from './recipe.ts';

/* Files as weather services and loggers write them: their heads, as far as they are known by heart. */

const point = (missing: string): Recipe['style'] => ({
  mark: '.',
  thousands: '',
  missing,
  missingShare: 0.05,
});
const comma = (missing: string): Recipe['style'] => ({
  mark: ',',
  thousands: '',
  missing,
  missingShare: 0.05,
});

/** What every form has unless it says otherwise. */
const PLAIN = {
  lineEnd: '\n',
  encoding: 'utf-8',
  byteOrderMark: false,
  quotes: 'need',
  padded: false,
  header: true,
  counted: false,
  received: 'no',
  preamble: [],
  below: [],
  repeatedHead: false,
  end: '',
  bareCommas: false,
  said: null,
  clock: 'goes on',
  accident: 'none',
  constants: [],
} as const;

/** What the files of NOAA's climate data have in common. */
const NOAA = {
  ...PLAIN,
  way: 'ISO, no zone',
  timeNames: ['DATE'],
  delimiter: ',',
  quotes: 'all',
  style: point(''),
} as const;

const rows = (random: Random) => random.of([3, 24, 24, 60]);

export const FORMS: readonly ((random: Random) => Partial<Recipe>)[] = [
  // Open data of the German weather service: hourly, and every ten minutes.
  (random) => ({
    ...PLAIN,
    form: 'DWD, hourly',
    way: 'ten digits',
    timeNames: ['MESS_DATUM'],
    delimiter: ';',
    lineEnd: '\r\n',
    stepMs: 3_600_000,
    startMs: Date.UTC(random.int(1990, 2024), random.int(0, 11), 4, 17),
    rows: rows(random),
    style: point('-999'),
    columns: [
      { name: 'QN_9', kind: 'whole' },
      { name: 'TT_TU', kind: 'tenths' },
      { name: 'RF_TU', kind: 'tenths' },
    ],
    constants: [
      { name: 'STATIONS_ID', text: '44' },
      { name: 'eor', text: 'eor' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'DWD, ten minutes',
    way: 'twelve digits',
    timeNames: ['MESS_DATUM'],
    delimiter: ';',
    stepMs: 600_000,
    startMs: Date.UTC(random.int(1990, 2024), random.int(0, 11), 4),
    rows: rows(random),
    style: point('-999'),
    columns: [
      { name: 'PP_10', kind: 'pressure' },
      { name: 'TT_10', kind: 'tenths' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'airport reports',
    way: 'blank, minutes',
    timeNames: ['valid'],
    delimiter: ',',
    stepMs: 3_600_000,
    rows: rows(random),
    style: point('null'),
    columns: [
      { name: 'tmpf', kind: 'hundredths' },
      { name: 'relh', kind: 'hundredths' },
    ],
  }),
  (random) => ({
    ...NOAA,
    form: 'NOAA, hourly',
    rows: rows(random),
    columns: [
      { name: 'HourlyDryBulbTemperature', kind: 'whole' },
      { name: 'HourlyStationPressure', kind: 'hundredths' },
    ],
  }),
  (random) => ({
    ...NOAA,
    form: 'NOAA, integrated surface data',
    rows: rows(random),
    columns: [
      { name: 'TMP', kind: 'value and flag' },
      { name: 'ELEVATION', kind: 'tenths' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'HOBO',
    way: 'short year, month first, halves',
    timeNames: ['Date Time'],
    delimiter: ',',
    byteOrderMark: true,
    counted: true,
    preamble: ['"Plot Title: 10485764"'],
    quotes: 'texts',
    stepMs: 600_000,
    rows: rows(random),
    style: point(''),
    columns: [{ name: 'Temp °C (LGR S/N: 10485764)', kind: 'hundredths' }],
  }),
  (random) => ({
    ...PLAIN,
    form: 'TOA5',
    way: 'blank, seconds',
    timeNames: ['TIMESTAMP'],
    delimiter: ',',
    quotes: 'texts',
    lineEnd: '\r\n',
    preamble: ['"TOA5","CR1000","CR1000","1234","CR1000.Std.27","CPU:met.CR1","999","Table1"'],
    below: ['TS', 'Deg C', '%', '', 'Avg', 'Smp'],
    stepMs: 60_000,
    rows: rows(random),
    style: point('NAN'),
    columns: [
      { name: 'AirTC_Avg', kind: 'tenths' },
      { name: 'RH', kind: 'hundredths' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'Testo',
    way: 'date and time of day',
    timeNames: ['Datum', 'Uhrzeit'],
    delimiter: ';',
    encoding: 'windows-1252',
    lineEnd: '\r\n',
    rows: rows(random),
    style: comma('---'),
    columns: [
      { name: '[°C] Kanal 1', kind: 'tenths' },
      { name: '[%rF] Kanal 2', kind: 'tenths' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'Ebro',
    way: 'points, day first, seconds',
    timeNames: ['Zeit'],
    delimiter: ';',
    encoding: 'windows-1252',
    lineEnd: '\r\n',
    preamble: ['EBI 20-TH1', 'Seriennummer: 12345678', ''],
    rows: rows(random),
    style: comma('----'),
    columns: [
      { name: 'Temperatur [°C]', kind: 'tenths' },
      { name: 'Feuchte [%]', kind: 'tenths' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'Fluke',
    way: 'slashes, month first, halves',
    timeNames: ['Start Time'],
    delimiter: ',',
    preamble: ['Fluke 289', 'Session: 3', ''],
    rows: rows(random),
    style: point('OL'),
    columns: [
      { name: 'Sample', kind: 'three decimals' },
      { name: 'Max', kind: 'three decimals' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'Davis',
    way: 'short year, month first, halves',
    timeNames: ['Date & Time'],
    delimiter: ',',
    quotes: 'all',
    rows: rows(random),
    style: point('--'),
    columns: [
      { name: 'Barometer - hPa', kind: 'pressure' },
      { name: 'Temp - °C', kind: 'tenths' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'database dump',
    way: 'blank, seconds',
    timeNames: ['ts'],
    header: false,
    delimiter: '\t',
    rows: rows(random),
    style: point('\\N'),
    columns: [
      { name: 'v', kind: 'tenths' },
      { name: 'w', kind: 'whole' },
    ],
  }),
  (random) => ({
    ...PLAIN,
    form: 'spreadsheet',
    way: random.of(['days, 10 decimals', 'days, 6 decimals']),
    timeNames: ['Zeit'],
    delimiter: ';',
    lineEnd: '\r\n',
    rows: rows(random),
    style: comma('#DIV/0!'),
    columns: [{ name: 'Temperatur', kind: 'tenths' }],
  }),
];
