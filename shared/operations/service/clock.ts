import { z } from 'zod';
import { operation } from '../../schema/operation.ts';
import { instant, oneOf, timestamp, wholeNumberInBody } from '../../schema/schemas.ts';

/* docs/rigs.md, "The clock": the service's time, where it was started with --clock. */

/** How a clock goes: as the machine's, not at all, or so many times as fast. */
export const CLOCK_MODES = ['system', 'frozen', 'scaled'] as const;
export type ClockMode = (typeof CLOCK_MODES)[number];

/** Times as fast at most. */
export const MOST_RATE = 1_000_000;
/** A hundred years. */
const MOST_ADVANCE_MS = 3_155_760_000_000;

const RATE_RULE = `must be a number above 0, at most ${MOST_RATE}`;

const clock = z
  .object({
    mode: z.enum(CLOCK_MODES),
    now: timestamp,
    /** 1 as the machine's, 0 for frozen, or the factor. */
    rate: z.number(),
  })
  .meta({ id: 'Clock' });
export type ClockNow = Readonly<z.output<typeof clock>>;

const path = '/_local/v1/clock';

export const clockOperations = {
  'clock.get': operation({
    method: 'GET',
    path,
    permissions: ['read'],
    action: 'get clock',
    message: 'Clock retrieved successfully.',
    description: 'The time of the service, and how it goes.',
    input: z.object({}),
    output: clock,
  }),
  'clock.set': operation({
    method: 'PUT',
    path,
    permissions: ['admin'],
    reach: 'installation',
    action: 'set clock',
    message: 'Clock set.',
    description:
      'Sets the time of a service that was started with --clock; without `now` it goes on from where it is. Timers that are due by then have run before the answer.',
    input: z.object({
      mode: oneOf(CLOCK_MODES),
      now: instant.optional(),
      rate: z.number(RATE_RULE).positive(RATE_RULE).max(MOST_RATE, RATE_RULE).optional(),
    }),
    output: clock,
  }),
  'clock.advance': operation({
    method: 'POST',
    path: `${path}/advance`,
    permissions: ['admin'],
    reach: 'installation',
    action: 'advance clock',
    mayTakeLong: true,
    message: 'Clock advanced.',
    description:
      'Moves the time of a service that was started with --clock: every timer due on the way has run, in order, each at its own time, before the answer. Where the asker goes before, the clock stays at the last timer that ran.',
    input: z.object({ ms: wholeNumberInBody(0, MOST_ADVANCE_MS) }),
    output: z.object({ now: timestamp, ran: z.int().nonnegative() }),
  }),
} as const;
