import { formatMicros } from '#shared/values/time.ts';
import type { CheckedInput } from '#shared/operations/index.ts';
import type { ClockNow } from '#shared/operations/service/clock.ts';
import { badRequest, forbidden } from '../../../base/errors.ts';
import type { ClockSetting, RigClock } from '../../../base/rig-clock.ts';
import type { Context, HandlersOf } from '../../context.ts';

export const clockHandlers: HandlersOf<'clock'> = {
  'clock.get': (_, context) => ({ data: nowOf(context) }),

  async 'clock.set'({ input }, context) {
    await requireRig(context).set(settingOf(input));
    tell(context);
    return { data: nowOf(context) };
  },

  async 'clock.advance'({ input: { ms }, signal }, context) {
    const clock = requireRig(context);
    if (clock.state.mode === 'system')
      throw badRequest(
        'ms moves a clock that is frozen or scaled, and this one goes as the machine’s; set it first',
      );
    try {
      const ran = await clock.advance(ms, signal);
      return { data: { now: formatMicros(clock.now()), ran } };
    } finally {
      tell(context);
    }
  },
};

/** Windows show the time of the service, and what follows from it. */
function tell({ events, default_account_id }: Context): void {
  events.publish('clock.changed', { account_id: default_account_id, project_id: '' });
}

function nowOf({ clock, rigClock }: Pick<Context, 'clock' | 'rigClock'>): ClockNow {
  const { mode, now, rate } = rigClock?.state ?? { mode: 'system', now: clock.now(), rate: 1 };
  return { mode, now: formatMicros(now), rate };
}

/** Throws a 403 Refusal: nobody turns a technician's clock. */
function requireRig({ rigClock }: Pick<Context, 'rigClock'>): RigClock {
  if (rigClock === null)
    throw forbidden(
      'The clock of this service is the machine’s. Start it with --clock frozen, or --clock scaled@TIME*RATE, to set it.',
    );
  return rigClock;
}

function settingOf({ mode, now, rate }: CheckedInput<'clock.set'>): ClockSetting {
  if (mode !== 'scaled' && rate !== undefined)
    throw badRequest(`rate is for mode "scaled", got it for "${mode}"`);
  if (mode === 'system' && now !== undefined)
    throw badRequest('now cannot be set in mode "system", which goes as the machine’s clock');
  if (mode === 'system') return { mode };
  if (mode === 'frozen') return { mode, now };
  if (rate === undefined)
    throw badRequest('rate is required for mode "scaled": how many times as fast it goes');
  return { mode, now, rate };
}
