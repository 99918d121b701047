import type { ClockNow } from '#shared/operations/service/clock.ts';
import { formatCount } from '#shared/values/counts.ts';
import { formatMicros } from '#shared/values/time.ts';
import { clockSetting } from '../clock-setting.ts';
import { durationOf } from '../duration.ts';
import { nounCommand } from './noun-command.ts';

/* The clock of a service that was started with --clock (docs/rigs.md). */

const lineOf = ({ mode, now, rate }: ClockNow): string => {
  if (mode === 'frozen') return `The clock stands at ${now}.`;
  return mode === 'system'
    ? `The machine's clock: ${now}.`
    : `The clock says ${now}, and goes ${rate} times as fast.`;
};

export const show = nounCommand({
  flags: {},
  help: '',
  example: 'clock show',
  async run({ ask }) {
    const now = await ask('clock.get', {});
    return { data: now, lines: [lineOf(now)] };
  },
});

export const set = nounCommand({
  word: 'a CLOCK, such as frozen,',
  flags: {},
  help: '  CLOCK               as for serve --clock: system, frozen, frozen@TIME or scaled@TIME*RATE',
  example: 'clock set frozen@2026-01-15T10:30:00Z',
  async run({ ask, word }) {
    const setting = clockSetting('clock set', word) ?? { mode: 'system' };
    const now = 'now' in setting && setting.now !== undefined ? formatMicros(setting.now) : undefined;
    const found = await ask('clock.set', {
      mode: setting.mode,
      ...(now !== undefined && { now }),
      ...('rate' in setting && { rate: setting.rate }),
    });
    return { data: found, lines: [lineOf(found)] };
  },
});

export const advance = nounCommand({
  word: 'a TIME, such as 90s,',
  flags: {},
  help: '  TIME                a number and ms, s, m, h or d',
  example: 'clock advance 30d',
  async run({ ask, word }) {
    const ms = durationOf('clock advance', word);
    const found = await ask('clock.advance', { ms });
    const timers = `${formatCount(found.ran)} ${found.ran === 1 ? 'timer' : 'timers'}`;
    return { data: found, lines: [`The clock says ${found.now}; ${timers} ran on the way.`] };
  },
});
