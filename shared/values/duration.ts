import type { Micros } from './time.ts';

const SECOND = 1_000_000n;
const DAY = 86_400n;

/** A length of time of whole µs, not negative, as an ISO 8601 duration in days of 24 hours and less: `P1DT2H3M4.5S`, `PT0S`. */
export function isoDuration(us: Micros): string {
  const all = BigInt(us);
  const seconds = all / SECOND;
  const fraction = String(all % SECOND)
    .padStart(6, '0')
    .replace(/0+$/, '');
  const [days, hours, minutes] = [seconds / DAY, (seconds / 3600n) % 24n, (seconds / 60n) % 60n];
  const second = `${seconds % 60n}${fraction && `.${fraction}`}`;
  const date = days > 0n ? `${days}D` : '';
  const time = [hours > 0n && `${hours}H`, minutes > 0n && `${minutes}M`, second !== '0' && `${second}S`];
  const clock = time.filter(Boolean).join('');
  if (clock !== '') return `P${date}T${clock}`;
  return date === '' ? 'PT0S' : `P${date}`;
}

const DAY_S = 86_400;

/** Seconds as people read them, to the last digit: `10 min`, `1 h 30 min`, `31 days`, `0.5 s`. */
export function secondsText(seconds: number): string {
  if (seconds >= 2 * DAY_S && seconds % DAY_S === 0) return `${seconds / DAY_S} days`;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds - hours * 3600) / 60);
  // What a subtraction leaves of a fraction has digits that nobody wrote.
  const rest = Number((seconds - hours * 3600 - minutes * 60).toPrecision(12));
  const parts = [hours > 0 && `${hours} h`, minutes > 0 && `${minutes} min`, rest > 0 && `${rest} s`];
  return parts.filter(Boolean).join(' ') || '0 s';
}
