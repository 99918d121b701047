import { chartAddressText, parseChartAddress, type ChartAddress } from '../../../chart/address.ts';
import type { AddressTail } from '../../../router.ts';

/** Subject of a report: the span, the keys and the look of a chart. */
export interface ReportShown {
  readonly chart?: ChartAddress;
}

/** "?keys=temperature&range=24h" behind the path of a report. */
export const reportTail: AddressTail<ReportShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const chart = parseChartAddress(query);
    return Object.keys(chart).length > 0 ? { chart } : {};
  },
  text({ chart = {} }) {
    const query = chartAddressText(chart);
    return query && `?${query}`;
  },
};
