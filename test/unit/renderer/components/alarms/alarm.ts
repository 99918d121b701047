import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { formatMicros, type Micros } from '#shared/values/time.ts';

/** Noon where the test runs, so that minutes before are of the same day. */
export const AT: Micros = new Date(2026, 2, 2, 12).getTime() * 1000;
export const S = 1e6;
export const time = (seconds: number) => formatMicros(AT + seconds * S);

/** An alarm that is open since ten minutes before noon. */
export const alarm = (more: Partial<Alarm> = {}): Alarm => ({
  id: 'a',
  project_id: 'p',
  project: 'Hall',
  device_id: 'd',
  device: 'Boiler 3',
  function_id: 'f',
  rule: 'Too hot',
  condition: { when: { key: 'supply', above: 85 }, for_s: 600 },
  silenced_until: null,
  state: 'open',
  start: time(-600),
  fired: time(0),
  end: null,
  raised: time(1),
  amended: null,
  withdrawn: null,
  acknowledged: null,
  acts: [],
  ...more,
});
