/* Times by hand: whole microseconds since 1970, which are safe integers from 1684 to 2255. */

const DAY = 86_400_000_000;
const FORM = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;

/** Days from 1970-01-01 to a day of the Gregorian calendar, counted in years that begin in March. */
function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  const daysBefore = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return 365 * y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + daysBefore - 719_468;
}

/** The first and last times of records (docs/api.md, "How devices store data"). */
export const FIRST_TIME = dayNumber(1700, 1, 1) * DAY;
export const LAST_TIME = dayNumber(2201, 1, 1) * DAY - 1;

/** Reads ISO 8601 with "Z" or an offset, cut to the µs; null where it is not one. */
export function readTime(text: string): number | null {
  const match = FORM.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offset = (Number(match[9] ?? 0) * 60 + Number(match[10] ?? 0)) * (match[8] === '-' ? -1 : 1);
  const micros = Number((match[7] ?? '').padEnd(6, '0').slice(0, 6));
  const [days, minutes] = [dayNumber(year, month, day), hour * 60 + minute - offset];
  return days * DAY + (minutes * 60 + second) * 1_000_000 + micros;
}

const digits = (number: number, length: number) => String(number).padStart(length, '0');

/** `2026-03-02T20:30:21.202946Z`; with an offset in minutes, the same instant as its clocks show it. */
export function writeTime(time: number, offset = 0, fraction = 6): string {
  const local = time + offset * 60_000_000;
  const days = Math.floor(local / DAY);
  const rest = local - days * DAY;
  let year = Math.floor(days / 365.2425) + 1970;
  while (dayNumber(year, 1, 1) > days) year--;
  while (dayNumber(year + 1, 1, 1) <= days) year++;
  let month = 12;
  while (dayNumber(year, month, 1) > days) month--;
  const day = days - dayNumber(year, month, 1) + 1;
  const seconds = Math.floor(rest / 1_000_000);
  const date = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = digits(rest % 1_000_000, 6)
    .padEnd(9, '7')
    .slice(0, fraction);
  const zone = `${offset < 0 ? '-' : '+'}${digits(Math.floor(Math.abs(offset) / 60), 2)}:${digits(Math.abs(offset) % 60, 2)}`;
  return `${date}T${clock.map((part) => digits(part, 2)).join(':')}${fraction > 0 ? `.${shown}` : ''}${offset === 0 ? 'Z' : zone}`;
}
