import { MOST_RATE } from '#shared/operations/service/clock.ts';
import { parseInstant } from '#shared/values/time.ts';
import { UsageError } from '../base/errors.ts';
import type { ClockSetting } from '../base/rig-clock.ts';

/** Reads what a clock is set to; null for the machine's. Throws UsageError; `what` is the flag or command that takes it. */
export function clockSetting(what: string, value: string): ClockSetting | null {
  if (value === 'system') return null;
  const [, mode, time, factor] = /^(frozen|scaled)(?:@([^*]+))?(?:\*(.+))?$/.exec(value) ?? [];
  const now = time === undefined ? undefined : (parseInstant(time) ?? undefined);
  const isTime = time === undefined || now !== undefined;
  const rate = Number(factor);
  if (mode === 'frozen' && factor === undefined && isTime) return { mode, now };
  if (mode === 'scaled' && rate > 0 && rate <= MOST_RATE && isTime) return { mode, now, rate };
  throw new UsageError(
    `${what} takes system, frozen, frozen@TIME or scaled@TIME*RATE, such as scaled@2026-01-15T10:30:00Z*60, got "${value}".`,
  );
}
