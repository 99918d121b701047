import { chartAddressText, parseChartAddress, type ChartAddress } from '../../chart/address.ts';
import type { AddressTail } from '../../router.ts';

export const DEVICE_TABS = ['chart', 'table', 'keys', 'credentials'] as const;
export type DeviceTab = (typeof DEVICE_TABS)[number];

/** What the screen of a device shows. */
export interface DeviceShown {
  readonly tab: DeviceTab;
  /** What the chart shows, also while another tab is open; absent: as at first. */
  readonly chart?: ChartAddress;
}

/** "/table?range=24h" behind the path of a device; the chart's tab is not named. */
export const deviceTail: AddressTail<DeviceShown> = {
  parse([name = 'chart', ...rest], query) {
    const tab = DEVICE_TABS.find((known) => known === name);
    if (tab === undefined || rest.length > 0) return null;
    const chart = parseChartAddress(query);
    return { tab, ...(Object.keys(chart).length > 0 && { chart }) };
  },
  text({ tab, chart = {} }) {
    const query = chartAddressText(chart);
    return (tab === 'chart' ? '' : `/${tab}`) + (query && `?${query}`);
  },
};
