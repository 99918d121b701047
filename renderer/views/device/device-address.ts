import { chartAddressText, parseChartAddress, type ChartAddress } from '../../chart/address.ts';
import type { AddressTail } from '../../router.ts';

export const DEVICE_TABS = ['chart', 'table', 'keys', 'notes', 'times', 'connect'] as const;
export type DeviceTab = (typeof DEVICE_TABS)[number];

/** What a list of the device shows. */
export interface ListShown {
  /** What is searched for. */
  readonly find?: string;
  /** What is open beside it, as a key is. */
  readonly open?: string;
}

/** What the screen of a device shows. */
export interface DeviceShown {
  readonly tab: DeviceTab;
  /** What the chart shows, also while another tab is open; absent: as at first. */
  readonly chart?: ChartAddress;
  /** What the list of the tab shows. */
  readonly list?: ListShown;
  /** Whether "Connect" lists only the requests that were refused. */
  readonly refused?: boolean;
}

/** What tabs were called once: links to them still lead there. */
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
