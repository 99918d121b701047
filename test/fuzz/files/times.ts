/* Ways in which files write a time. A moment is ms since 1970 as the clock on the wall showed it. */

export interface TimeWay {
  /** One field, or the two of a date and a time of day. */
  readonly write: (ms: number) => readonly string[];
  /** ms that it can tell: what is smaller is cut. */
  readonly step: number;
  /** Whether it is UTC whatever the zone of the file. */
  readonly zoned?: boolean;
  /** Whether it counts from the start of the recording. */
  readonly elapsed?: boolean;
  readonly names?: readonly (readonly string[])[];
}

const pad = (number: number, width = 2) => String(number).padStart(width, '0');
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const GERMAN = ['Jan', 'Feb', 'Mär', 'Apr', 'Mai', 'Jun', 'Jul', 'Aug', 'Sep', 'Okt', 'Nov', 'Dez'];
const FRENCH = 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'.split(' ');

function parts(ms: number) {
  const date = new Date(ms);
  const hour = date.getUTCHours();
  return {
    year: String(date.getUTCFullYear()),
    short: pad(date.getUTCFullYear() % 100),
    month: pad(date.getUTCMonth() + 1),
    m: String(date.getUTCMonth() + 1),
    name: MONTHS[date.getUTCMonth()]!,
    day: pad(date.getUTCDate()),
    d: String(date.getUTCDate()),
    hour: pad(hour),
    h: String(hour),
    hour12: pad(hour % 12 || 12),
    h12: String(hour % 12 || 12),
    half: hour < 12 ? 'AM' : 'PM',
    minute: pad(date.getUTCMinutes()),
    second: pad(date.getUTCSeconds()),
    ms: pad(date.getUTCMilliseconds(), 3),
  };
}

const way = (
  step: number,
  write: (p: ReturnType<typeof parts>) => string | readonly string[],
  more: Omit<TimeWay, 'write' | 'step'> = {},
): TimeWay => ({ step, write: (ms) => [write(parts(ms))].flat(), ...more });
const number = (step: number, write: (ms: number) => string, more: Omit<TimeWay, 'write' | 'step'> = {}) => ({
  step,
  write: (ms: number) => [write(ms)],
  ...more,
});

const SECOND = 1000;
const MINUTE = 60_000;
const HOUR = 3_600_000;
const DAY = 86_400_000;
const UTC = { zoned: true };
const DAYS_1900 = Date.UTC(1899, 11, 30);
const COUNTED = [['time_s'], ['elapsed'], ['Time (s)']];

export const TIME_WAYS: Readonly<Record<string, TimeWay>> = {
  'ISO, Z': way(SECOND, (p) => `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}Z`, UTC),
  'ISO, ms, Z': way(
    1,
    (p) => `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}.${p.ms}Z`,
    UTC,
  ),
  'ISO, offset': way(
    SECOND,
    (p) => `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}+00:00`,
    UTC,
  ),
  'ISO, no zone': way(SECOND, (p) => `${p.year}-${p.month}-${p.day}T${p.hour}:${p.minute}:${p.second}`),
  'blank, seconds': way(SECOND, (p) => `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second}`),
  'blank, minutes': way(MINUTE, (p) => `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}`),
  'blank, ms': way(1, (p) => `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second}.${p.ms}`),
  'blank, UTC behind': way(
    SECOND,
    (p) => `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second} UTC`,
    UTC,
  ),
  'date alone': way(DAY, (p) => `${p.year}-${p.month}-${p.day}`),
  'slashes, year first': way(
    SECOND,
    (p) => `${p.year}/${p.month}/${p.day} ${p.hour}:${p.minute}:${p.second}`,
  ),
  'points, year first': way(MINUTE, (p) => `${p.year}.${p.month}.${p.day} ${p.hour}:${p.minute}`),
  'points, day first': way(MINUTE, (p) => `${p.day}.${p.month}.${p.year} ${p.hour}:${p.minute}`),
  'points, day first, seconds': way(
    SECOND,
    (p) => `${p.day}.${p.month}.${p.year} ${p.hour}:${p.minute}:${p.second}`,
  ),
  'points, nothing padded': way(MINUTE, (p) => `${p.d}.${p.m}.${p.year} ${p.h}:${p.minute}`),
  'slashes, day first': way(SECOND, (p) => `${p.day}/${p.month}/${p.year} ${p.hour}:${p.minute}:${p.second}`),
  'slashes, month first, as its name says': way(
    MINUTE,
    (p) => `${p.month}/${p.day}/${p.year} ${p.hour}:${p.minute}`,
    { names: [['Date (MM/DD/YYYY)'], ['date mm/dd/yyyy hh:mm']] },
  ),
  'short year, as its name says': way(MINUTE, (p) => `${p.day}.${p.month}.${p.short} ${p.hour}:${p.minute}`, {
    names: [['Datum (TT.MM.JJ)'], ['Zeit DD.MM.YY']],
  }),
  'slashes, month first': way(MINUTE, (p) => `${p.month}/${p.day}/${p.year} ${p.hour}:${p.minute}`),
  'slashes, month first, halves': way(
    SECOND,
    (p) => `${p.m}/${p.d}/${p.year} ${p.h12}:${p.minute}:${p.second} ${p.half}`,
  ),
  'dashes, day first': way(MINUTE, (p) => `${p.day}-${p.month}-${p.year} ${p.hour}:${p.minute}`),
  'short year, points': way(MINUTE, (p) => `${p.day}.${p.month}.${p.short} ${p.hour}:${p.minute}`),
  'short year, day first': way(
    SECOND,
    (p) => `${p.day}/${p.month}/${p.short} ${p.hour}:${p.minute}:${p.second}`,
  ),
  'short year, month first, halves': way(
    SECOND,
    (p) => `${p.month}/${p.day}/${p.short} ${p.hour12}:${p.minute}:${p.second} ${p.half}`,
  ),
  'short year first': way(MINUTE, (p) => `${p.short}-${p.month}-${p.day} ${p.hour}:${p.minute}`),
  'month by name': way(SECOND, (p) => `${p.d}-${p.name}-${p.year} ${p.hour}:${p.minute}:${p.second}`),
  'month by name, first': way(MINUTE, (p) => `${p.name} ${p.d} ${p.year} ${p.hour}:${p.minute}`),
  'month by a German name': way(
    MINUTE,
    (p) => `${p.d}. ${GERMAN[Number(p.m) - 1]} ${p.year} ${p.hour}:${p.minute}`,
  ),
  'month by a French name': way(
    MINUTE,
    (p) => `${p.d} ${FRENCH[Number(p.m) - 1]} ${p.year} ${p.hour}:${p.minute}`,
  ),
  'midnight as 24:00': {
    step: HOUR,
    write: (ms) => {
      const isEnd = ms % DAY === 0;
      const p = parts(isEnd ? ms - 1 : ms);
      return [`${p.year}-${p.month}-${p.day} ${isEnd ? '24' : p.hour}:00`];
    },
  },
  'dotted halves': way(
    MINUTE,
    (p) => `${p.day}/${p.month}/${p.year} ${p.hour12}:${p.minute} ${p.half === 'AM' ? 'a. m.' : 'p. m.'}`,
  ),
  'comma before ms': way(1, (p) => `${p.year}-${p.month}-${p.day} ${p.hour}:${p.minute}:${p.second},${p.ms}`),
  'compact, Z': way(SECOND, (p) => `${p.year}${p.month}${p.day}T${p.hour}${p.minute}${p.second}Z`, UTC),
  'eight digits': way(DAY, (p) => `${p.year}${p.month}${p.day}`),
  'ten digits': way(HOUR, (p) => `${p.year}${p.month}${p.day}${p.hour}`),
  'twelve digits': way(MINUTE, (p) => `${p.year}${p.month}${p.day}${p.hour}${p.minute}`),
  'fourteen digits': way(SECOND, (p) => `${p.year}${p.month}${p.day}${p.hour}${p.minute}${p.second}`),
  'ten digits, short year': way(MINUTE, (p) => `${p.short}${p.month}${p.day}${p.hour}${p.minute}`),
  'twelve digits, short year': way(
    SECOND,
    (p) => `${p.short}${p.month}${p.day}${p.hour}${p.minute}${p.second}`,
  ),
  'date and time of day': way(
    SECOND,
    (p) => [`${p.day}.${p.month}.${p.year}`, `${p.hour}:${p.minute}:${p.second}`],
    {
      names: [
        ['Datum', 'Uhrzeit'],
        ['Date', 'Time'],
        ['date', 'time'],
      ],
    },
  ),
  'AM and PM in their column': way(
    SECOND,
    (p) => [`${p.year}-${p.month}-${p.day}`, `${p.h12}:${p.minute}:${p.second}`, p.half],
    {
      names: [
        ['Date', 'Time', 'AM/PM'],
        ['date', 'time', 'half'],
      ],
    },
  ),
  'AM and PM behind the time': way(
    MINUTE,
    (p) => [`${p.m}/${p.d}/${p.year} ${p.h12}:${p.minute}`, p.half.toLowerCase()],
    { names: [['Timestamp', 'Period']] },
  ),
  'date and hhmm': way(MINUTE, (p) => [`${p.year}-${p.month}-${p.day}`, `${p.hour}${p.minute}`], {
    names: [
      ['date', 'hhmm'],
      ['Date', 'Time'],
    ],
  }),
  'date and 7h30': way(MINUTE, (p) => [`${p.day}.${p.month}.${p.year}`, `${p.h}h${p.minute}`], {
    names: [['Date', 'Heure']],
  }),
  seconds: number(SECOND, (ms) => String(ms / 1000), UTC),
  'seconds, fraction': number(1, (ms) => (ms / 1000).toFixed(3), UTC),
  milliseconds: number(1, (ms) => String(ms), UTC),
  microseconds: number(1, (ms) => `${ms}000`, UTC),
  nanoseconds: number(1, (ms) => `${ms}000000`, UTC),
  'days, 6 decimals': number(SECOND, (ms) => ((ms - DAYS_1900) / DAY).toFixed(6)),
  'days, 10 decimals': number(SECOND, (ms) => ((ms - DAYS_1900) / DAY).toFixed(10)),
  'days, whole': number(DAY, (ms) => String((ms - DAYS_1900) / DAY), { names: [['Date'], ['Datum']] }),
  'days since 1904': number(SECOND, (ms) => ((ms - Date.UTC(1904, 0)) / DAY).toFixed(6)),
  'seconds of the recording': number(1, (ms) => (ms / 1000).toFixed(1), { elapsed: true, names: COUNTED }),
  'minutes of the recording': number(MINUTE, (ms) => String(ms / MINUTE), {
    elapsed: true,
    names: [['t_min'], ['Time (min)']],
  }),
};

/** Numbers that nothing here reads as what they are: each must be doubted. */
export const UNREAD_WAYS: Readonly<Record<string, TimeWay>> = {
  'seconds since 1900': number(SECOND, (ms) => String((ms - Date.UTC(1900, 0)) / 1000), UTC),
  'seconds since 1904': number(SECOND, (ms) => String((ms - Date.UTC(1904, 0)) / 1000), UTC),
  'seconds since 2001': number(SECOND, (ms) => String((ms - Date.UTC(2001, 0)) / 1000), UTC),
  'FILETIME, steps of 100 ns': number(1, (ms) => `${ms - Date.UTC(1601, 0)}0000`, UTC),
  'ticks of .NET': number(1, (ms) => `${ms - Date.parse('0001-01-01')}0000`, UTC),
};

/** Throws for a name that is none. */
export function wayOf(name: string): TimeWay {
  const found = TIME_WAYS[name] ?? UNREAD_WAYS[name];
  if (!found) throw new TypeError(`no way to write a time is called ${name}`);
  return found;
}

export const TIME_NAMES = [
  ['time'],
  ['timestamp'],
  ['Date'],
  ['Datum'],
  ['Date Time'],
  ['Zeit'],
  ['MESS_DATUM'],
  ['datetime'],
];
