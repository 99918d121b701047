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
