import { formatMicros } from '#shared/time.ts';
import type { ColumnPage, ColumnsRequest, SeriesPicture, SeriesRequest } from '#shared/wire.ts';
import type { Principal } from '../api/call.ts';
import type { Context } from '../api/context.ts';
import { admit } from '../api/dispatch.ts';
import { readSeries } from '../api/series.ts';

/** What charts read: the same records as rigs, behind the same checks, as arrays instead of JSON. */
export interface ChartReader {
  /** One page of columns, newest first. Throws a Refusal where "data.list" would be refused. */
  columns(principal: Principal, request: ColumnsRequest, offset: number, limit: number): Promise<ColumnPage>;
  /** What each column of pixels holds. Throws a Refusal where "series.get" would be refused. */
  series(principal: Principal, request: SeriesRequest): Promise<SeriesPicture>;
}

export function createChartReader(context: Context): ChartReader {
  return {
    async columns(principal, request, offset, limit) {
      const { project_id, device_id, keys, start, end } = request;
      const input = { project_id, device_id, page: 1, limit: 1, range: 'all' };
      const { device } = admit(context, 'data.list', () => principal, input);
      const range = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
      const query = { offset, limit, range, keys };
      const { total, timestamps, columns } = await context.records.columns(device.id, query);
      return { offset, total, timestamps, columns };
    },

    async series(principal, { project_id, device_id, keys, start, end, width }) {
      const asked = {
        project_id,
        device_id,
        width,
        ...(start !== undefined && { start: formatMicros(start) }),
        ...(end !== undefined && { end: formatMicros(end) }),
      };
      const { device, input } = admit(context, 'series.get', () => principal, asked);
      const series = await readSeries(context, device.id, { ...input, keys });
      const intervals = await context.records.intervals(device.id, keys);
      return {
        ...series,
        keys: series.keys.map((key, index) => {
          const interval = intervals[index] ?? Number.NaN;
          // JSON, which carries it, has no NaN.
          return { ...key, interval: Number.isNaN(interval) ? null : interval };
        }),
      };
    },
  };
}
