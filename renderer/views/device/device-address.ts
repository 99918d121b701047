import { chartAddressText, parseChartAddress, type ChartAddress } from '../../chart/address.ts';
import type { AddressTail } from '../../router.ts';

export const DEVICE_TABS = [
  'chart',
  'table',
  'keys',
  'notes',
  'corrections',
  'times',
  'excursions',
  'rules',
  'decoder',
  'connect',
] as const;
export type DeviceTab = (typeof DEVICE_TABS)[number];

/** State of a list of the device. */
export interface ListShown {
  /** Search. */
  readonly find?: string;
  /** Open item beside it, such as a key. */
  readonly open?: string;
}

/** State of a device's screen. */
export interface DeviceShown {
  readonly tab: DeviceTab;
  /** State of the chart, also while another tab is open; absent: as at first. */
  readonly chart?: ChartAddress;
  /** State of the tab's list. */
  readonly list?: ListShown;
  /** Whether "Connect" lists only the requests that were refused. */
  readonly refused?: boolean;
}

/** Former names of tabs, in links that still work. */
const FORMER: Readonly<Record<string, DeviceTab>> = { credentials: 'connect' };
const REFUSED = 'requests=refused';

/** "/table?range=24h" behind the path of a device; the chart's tab is not named. */
export const deviceTail: AddressTail<DeviceShown> = {
  parse([name = 'chart', ...rest], query) {
    const tab = DEVICE_TABS.find((known) => known === name) ?? FORMER[name];
    if (tab === undefined || rest.length > 0) return null;
    const chart = parseChartAddress(query);
    const list = parseList(query);
    const refused = tab === 'connect' && query.split('&').includes(REFUSED);
    return {
      tab,
      ...(Object.keys(chart).length > 0 && { chart }),
      ...(Object.keys(list).length > 0 && { list }),
      ...(refused && { refused }),
    };
  },
  text({ tab, chart = {}, list = {}, refused = false }) {
    const parts = [chartAddressText(chart), listText(list), tab === 'connect' && refused && REFUSED];
    const query = parts.filter(Boolean).join('&');
    return (tab === 'chart' ? '' : `/${tab}`) + (query && `?${query}`);
  },
};

/** Reads `find=…&open=…`. */
function parseList(query: string): ListShown {
  const asked = new URLSearchParams(query);
  const [find, open] = [asked.get('find'), asked.get('open')];
  return { ...(find && { find }), ...(open && { open }) };
}

function listText({ find = '', open = '' }: ListShown): string {
  return [find && `find=${encodeURIComponent(find)}`, open && `open=${encodeURIComponent(open)}`]
    .filter(Boolean)
    .join('&');
}
