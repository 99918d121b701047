const TIME_NAME =
  /^(?:.*[^a-z])?(?:time ?stamp|date|time|datum|zeit|uhrzeit|datetime|epoch|when|created(?: at)?|utc|fecha|heure)(?:[^a-z].*)?$/i;

/** Longer names are names of something else. */
const MOST_CHARACTERS = 128;

/** Whether a column is called as times are. */
export function isTimeName(name: string): boolean {
  return name.length <= MOST_CHARACTERS && TIME_NAME.test(name.replaceAll('_', ' '));
}

export type ElapsedUnit = 's' | 'ms' | 'min' | 'h' | 'd';

const ELAPSED_NAME =
  /^(?:t|time(?: ?stamp)?|elapsed|run ?time|up ?time|laufzeit|dauer|zeit)?(?: ?time)?[ ([{]*(s|secs?|seconds?|ms|msecs?|millis|milliseconds?|mins?|minutes?|h|hrs?|hours?|d|days?)?[\])}]*$/i;

/** The unit of times since the start by the name of their column, as "t_s", "elapsed" or "Time (ms)"; null for other names. */
export function elapsedUnit(name: string): ElapsedUnit | null {
  const spaced = name.replaceAll('_', ' ').trim();
  const match = spaced === '' ? null : ELAPSED_NAME.exec(spaced);
  if (!match) return null;
  const unit = match[1]?.toLowerCase() ?? 's';
  if (unit.startsWith('ms') || unit.startsWith('milli')) return 'ms';
  if (unit.startsWith('m')) return 'min';
  if (unit.startsWith('d')) return 'd';
  return unit.startsWith('h') ? 'h' : 's';
}

/** Whether the name of a column says the unit of its times, as "Time (s)"; "min" alone may be a minimum. */
export function namesUnit(name: string): boolean {
  const unit = ELAPSED_NAME.exec(name.replaceAll('_', ' ').trim())?.[1];
  return unit !== undefined && unit !== name.trim();
}

const ZONE = /(?:^|[^a-z])((?:UTC|GMT)(?:\s?[+-]\d{1,2}(?::?[0-5]\d)?)?)(?![a-z\d])/i;

/** A name with blanks between its words, as "UTCTime" and "local_time" have them. */
export function inWords(name: string): string {
  return name
    .replaceAll('_', ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2');
}

/** The zone that a column of times says in its name, such as "Date Time, GMT+02:00" and "time_utc"; undefined for none. */
export function zoneInName(name: string): string | undefined {
  const zone = ZONE.exec(inWords(name))?.[1]?.replace(/\s/, '').toUpperCase();
  return zone === 'GMT' ? 'UTC' : zone;
}
