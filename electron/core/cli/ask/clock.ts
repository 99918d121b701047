import type { ClockNow } from '#shared/operations/service/clock.ts';
import { formatCount } from '#shared/values/counts.ts';
import { clockSetting } from '../clock-setting.ts';
import { durationOf } from '../duration.ts';
import { givenPath, parseFlags, parseWord } from '../parse.ts';
import { dataDirectory } from '../serve/configure.ts';
import { callService } from './call.ts';
import { CONTROL_FLAGS_HELP, type ControlCommand } from './control.ts';
import { formatMicros } from '#shared/values/time.ts';

/* `fieldbench clock`: the clock of a service that was started with --clock (docs/rigs.md). */

const COMMON = { data: { type: 'string' }, json: { type: 'boolean' } } as const;

export const CLOCK_SHOW_HELP = `${CONTROL_FLAGS_HELP}

  fieldbench clock show`;

export const CLOCK_SET_HELP = `  CLOCK               as for serve --clock: system, frozen, frozen@TIME or scaled@TIME*RATE
${CONTROL_FLAGS_HELP}

  fieldbench clock set frozen@2026-01-15T10:30:00Z`;

export const CLOCK_ADVANCE_HELP = `  TIME                a number and ms, s, m, h or d
${CONTROL_FLAGS_HELP}

  fieldbench clock advance 30d`;

const linesOf = ({ mode, now, rate }: ClockNow): string => {
  if (mode === 'frozen') return `The clock stands at ${now}.`;
  return mode === 'system'
    ? `The machine's clock: ${now}.`
    : `The clock says ${now}, and goes ${rate} times as fast.`;
};

/** `fieldbench clock show`. */
export const clockShow: ControlCommand = async (args, { print }) => {
  const flags = parseFlags(args, COMMON);
  const now = await callService(dataDirectory(givenPath('data', flags.data)), 'clock.get', {});
  print(flags.json ? JSON.stringify(now) : linesOf(now));
  return 0;
};

/** `fieldbench clock set CLOCK`. */
export const clockSet: ControlCommand = async (args, { print }) => {
  const { word, values: flags } = parseWord(args, COMMON, 'a CLOCK, such as frozen,');
  const setting = clockSetting('clock set', word) ?? { mode: 'system' };
  const now = 'now' in setting && setting.now !== undefined ? formatMicros(setting.now) : undefined;
  const input = {
    mode: setting.mode,
    ...(now !== undefined && { now }),
    ...('rate' in setting && { rate: setting.rate }),
  };
  const found = await callService(dataDirectory(givenPath('data', flags.data)), 'clock.set', input);
  print(flags.json ? JSON.stringify(found) : linesOf(found));
  return 0;
};

/** `fieldbench clock advance TIME`. */
export const clockAdvance: ControlCommand = async (args, { print }) => {
  const { word, values: flags } = parseWord(args, COMMON, 'a TIME, such as 90s,');
  const ms = durationOf('clock advance', word);
  const found = await callService(dataDirectory(givenPath('data', flags.data)), 'clock.advance', { ms });
  print(
    flags.json
      ? JSON.stringify(found)
      : `The clock says ${found.now}; ${formatCount(found.ran)} ${found.ran === 1 ? 'timer' : 'timers'} ran on the way.`,
  );
  return 0;
};
