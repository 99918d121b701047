import { chartAddressText, parseChartAddress, type ChartAddress } from '../../chart/address.ts';
import { COMPARE_MODES, MOST_LINES, type CompareMode } from '../../chart/compare/modes.ts';
import type { Align } from '../../chart/compare/shift.ts';
import type { AddressTail } from '../../router.ts';

/** What the screen compares; what is absent is as it is at first. */
export interface CompareShown {
  /** Ids of devices, of any projects. */
  readonly devices: readonly string[];
  readonly keys?: readonly string[];
  readonly mode?: CompareMode;
  readonly align?: Align;
  /** Seconds by which devices are moved, by id. */
  readonly shifts?: Readonly<Record<string, number>>;
  /** How the chart of it is looked at. */
  readonly chart?: ChartAddress;
}

/** Ten years: more is no entry that somebody meant. */
const MOST_SHIFT_S = 315_360_000;

/** `?d=<ids>&k=temperature&mode=difference&align=start&shift=<id>:5&from=…`; what is wrong in it counts as not said. */
export const compareTail: AddressTail<CompareShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const asked = new URLSearchParams(query);
    const keys = listOf(asked.get('k'));
    const mode = COMPARE_MODES.find(({ value }) => value === asked.get('mode'))?.value;
    const shifts = shiftsOf(asked.get('shift'));
    const { keys: _, stacked: _stacked, ...chart } = parseChartAddress(query);
    return {
      devices: listOf(asked.get('d')),
      ...(keys.length > 0 && { keys }),
      ...(mode && mode !== 'overlay' && { mode }),
      ...(asked.get('align') === 'start' && { align: 'start' }),
      ...(Object.keys(shifts).length > 0 && { shifts }),
      ...(Object.keys(chart).length > 0 && { chart }),
    };
  },
  text({ devices, keys = [], mode = 'overlay', align = 'time', shifts = {}, chart = {} }) {
    const moved = Object.entries(shifts).filter(([id, seconds]) => seconds !== 0 && devices.includes(id));
    const query = [
      devices.length > 0 && `d=${devices.map(encodeURIComponent).join(',')}`,
      keys.length > 0 && `k=${keys.map(encodeURIComponent).join(',')}`,
      mode !== 'overlay' && `mode=${mode}`,
      align !== 'time' && `align=${align}`,
      moved.length > 0 &&
        `shift=${moved.map(([id, seconds]) => `${encodeURIComponent(id)}:${seconds}`).join(',')}`,
      chartAddressText(chart),
    ].filter(Boolean);
    return query.length > 0 ? `?${query.join('&')}` : '';
  },
};

/** Neither ids nor keys hold a comma. */
function listOf(text: string | null): readonly string[] {
  return [...new Set((text ?? '').split(',').filter(Boolean))].slice(0, MOST_LINES);
}

function shiftsOf(text: string | null): Readonly<Record<string, number>> {
  const pairs = (text ?? '').split(',').flatMap((part): [string, number][] => {
    const [, id = '', seconds = ''] = /^(.+):(-?\d+(?:\.\d+)?)$/s.exec(part) ?? [];
    const shift = Number(seconds);
    return id !== '' && shift !== 0 && Math.abs(shift) <= MOST_SHIFT_S ? [[id, shift]] : [];
  });
  return Object.fromEntries(pairs.slice(0, MOST_LINES));
}
