import type { Clock } from '#core/base/clock.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import type { Micros } from '#shared/values/time.ts';

/** A clock that a test holds or moves; its timers are the machine's. */
export const clockOf = (now: () => Micros): Clock => ({ ...createSystemClock(), now });

/** The present of the machine. */
export const PRESENT: Micros = Date.now() * 1000;
