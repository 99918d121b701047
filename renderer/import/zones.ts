import { localZone } from '../time.ts';

/* The zones that times without one may be written in. */

export interface ZoneOption {
  /** As the service takes it: "Europe/Berlin", "UTC+02:00". */
  readonly value: string;
  readonly label: string;
}

/** Minutes east of UTC that clocks somewhere stand at. */
const OFFSETS = Array.from({ length: 27 }, (_, at) => (at - 12) * 60).concat([
  -570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765,
]);

/** Short names that people give to an offset: whatever a zone does in summer, these do not change. */
const SHORT_NAMES: Readonly<Record<number, string>> = {
  [-480]: 'pst',
  [-420]: 'mst pdt',
  [-360]: 'cst mdt',
  [-300]: 'est cdt',
  [-240]: 'edt',
  0: 'gmt wet',
  60: 'cet bst west',
  120: 'cest eet sast',
  180: 'eest msk',
  330: 'ist',
  540: 'jst kst',
};

/** `UTC+02:00`. */
export function offsetName(minutes: number): string {
  const size = Math.abs(minutes);
  const parts = [Math.floor(size / 60), size % 60].map((part) => String(part).padStart(2, '0'));
  return `UTC${minutes < 0 ? '-' : '+'}${parts.join(':')}`;
}

const offsetLabel = (name: string) => `${name.replace('-', '−')}, all year`;

/** Loggers mostly keep one offset: those come first, those of this machine before the others. */
export function zoneOptions(now = new Date()): readonly ZoneOption[] {
  const own = [0, 6].map((month) => -new Date(now.getFullYear(), month, 1).getTimezoneOffset());
  const offsets = [...new Set([...own, ...OFFSETS.toSorted((a, b) => Math.abs(a) - Math.abs(b) || b - a)])];
  const names = offsets.filter((minutes) => minutes !== 0).map(offsetName);
  const local = localZone();
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC' && zone !== local);
  return [
    ...[...new Set([local, 'UTC'])].map((zone) => ({ value: zone, label: zone })),
    ...names.map((name) => ({ value: name, label: offsetLabel(name) })),
    ...zones.map((zone) => ({ value: zone, label: zone })),
  ];
}

/** What a zone is called where it is chosen. */
export const zoneLabel = (zone: string) => (/^UTC[+-]/.test(zone) ? offsetLabel(zone) : zone);

const WRITTEN_OFFSET = /^(?:utc|gmt|etc)?\/?\s*([+\-−])\s*(\d{1,2})(?::?(\d{2}))?$/;

/** The zones that somebody may mean: `+2`, `utc+02:00`, `cet`, `berlin`. */
export function findZones(options: readonly ZoneOption[], search: string): readonly ZoneOption[] {
  const words = search.trim().toLowerCase().replaceAll(' ', '_');
  const [, sign, hours, minutes = ''] = WRITTEN_OFFSET.exec(words) ?? [];
  if (sign !== undefined && hours !== undefined) {
    const begin = `UTC${sign === '+' ? '+' : '-'}${hours.padStart(2, '0')}:${minutes}`;
    return options.filter(({ value }) => value.startsWith(begin));
  }
  const isOffset = /^(utc|gmt|etc|all_year)$/.test(words);
  return options.filter(({ value, label }) => {
    if (isOffset && value.startsWith('UTC')) return true;
    return label.toLowerCase().replaceAll(' ', '_').includes(words) || hasShortName(value, words);
  });
}

function hasShortName(zone: string, word: string): boolean {
  const [minutes] = Object.entries(SHORT_NAMES).find(([, names]) => names.split(' ').includes(word)) ?? [];
  return minutes !== undefined && zone === offsetName(Number(minutes));
}
