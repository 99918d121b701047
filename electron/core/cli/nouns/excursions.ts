import { pipeline } from 'node:stream/promises';
import { VIEWS } from '#shared/domain/corrections.ts';
import type { InputOf } from '#shared/operations/index.ts';
import type { Excursions } from '#shared/operations/records/excursions.ts';
import { lengthText } from '#shared/values/length-text.ts';
import { alternatives } from '#shared/values/text.ts';
import { parseInstant, type Micros } from '#shared/values/time.ts';
import { UsageError } from '../../base/errors.ts';
import { requireKey } from '../names/key-of.ts';
import { SCOPE_FLAGS, SCOPE_FLAGS_HELP } from '../names/look-up.ts';
import { refusal } from '../refusal.ts';
import { deviceOf } from './devices.ts';
import { columns, nounCommand } from './noun-command.ts';

/** Flags by field of the operation. */
const FLAG_OF = { start: 'start', end: 'end', view: 'view', limit: 'limit' };

export const list = nounCommand({
  word: 'a KEY',
  flags: {
    ...SCOPE_FLAGS,
    start: { type: 'string' },
    end: { type: 'string' },
    view: { type: 'string' },
    limit: { type: 'string' },
    csv: { type: 'boolean' },
  },
  help: `  KEY                 a key of the device; its normal range and longest gap are those of its settings
${SCOPE_FLAGS_HELP}
  --start T, --end T  the first and the last instant, both included (2026-11-18T00:00:00Z)
  --view V            ${alternatives(VIEWS)} (raw)
  --limit N           how many excursions, and gaps, are listed at most (10,000)
  --csv               all of them as CSV, as docs/local-api.md, "Excursions", describes it`,
  example: 'excursions list temperature --device ESP32',
  async run({ asker, ask, names, word: key, values, isJson }) {
    const { start, end, view, limit, csv = false } = values;
    if (csv && (isJson || limit !== undefined))
      throw new UsageError(
        `--csv has all of them, and no other form: leave --${isJson ? 'json' : 'limit'} away.`,
      );
    const given = Object.entries({ key, start, end, view, limit }).filter(([, value]) => value !== undefined);
    const device = await deviceOf(names, values);
    const input = { ...device, ...Object.fromEntries(given) };
    // One that is no view is refused by what is asked next.
    await requireKey(ask, device, key, VIEWS.find((each) => each === view) ?? 'raw');
    if (csv) {
      const coming = await asker.excursions(input);
      if (!('bytes' in coming)) throw refusal(coming, FLAG_OF);
      await pipeline(coming.bytes, process.stdout, { end: false });
      return null;
    }
    const found = await ask('excursions.get', input as InputOf<'excursions.get'>, FLAG_OF);
    return { data: found, lines: linesOf(found) };
  },
});

function linesOf(found: Excursions): readonly string[] {
  const { inside_us, outside_us, not_measured_us, excursions, not_measured } = found;
  const whole = inside_us + outside_us + not_measured_us;
  const share = (us: number) => (whole === 0 ? '' : `${((us / whole) * 100).toFixed(2)} %`);
  const totals = [
    ['inside', inside_us],
    ['outside', outside_us],
    ['not measured', not_measured_us],
  ] as const;
  const rows = [
    ...excursions.map(({ start, end, side, worst, at }) => ({
      start,
      end,
      what: side,
      more: `${worst} at ${at}`,
    })),
    ...not_measured.map(({ start, end }) => ({ start, end, what: 'not measured', more: '' })),
  ].toSorted((a, b) => instantOf(a.start) - instantOf(b.start));
  const left = found.excursion_count - excursions.length + (found.not_measured_count - not_measured.length);
  return [
    `${found.start} – ${found.end}, ${rangeOf(found)}`,
    ...columns(totals.map(([name, us]) => [name, lengthText(us), share(us)])),
    ...columns(
      rows.map(({ start, end, what, more }) => [
        start,
        end,
        lengthText(instantOf(end) - instantOf(start)),
        what,
        more,
      ]),
    ),
    ...(left > 0 ? [`${left} more: --limit, or --csv for all of them.`] : []),
  ];
}

const instantOf = (time: string): Micros => parseInstant(time) ?? 0;

function rangeOf({ low, high }: Excursions): string {
  if (low === null && high === null) return 'without a normal range';
  if (low === null) return `normal up to ${high}`;
  return high === null ? `normal from ${low}` : `normal from ${low} to ${high}`;
}
