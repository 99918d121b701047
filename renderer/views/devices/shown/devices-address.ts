import type { Sort } from '../../../components/table/column.ts';
import type { AddressTail } from '../../../router.ts';

/** State of the list of a project's devices; absent fields are as at first. */
export interface DevicesShown {
  readonly list?: ListAddress;
}

export interface ListAddress {
  /** As `parseFilter` reads it. */
  readonly filter?: string;
  readonly sort?: Sort;
  /** Columns that are shown. */
  readonly columns?: readonly string[];
  /** Keys of which the last values are shown. */
  readonly keys?: readonly string[];
  /** Key whose last day is drawn and compared; absent: that of the order, else the first. */
  readonly trend?: string;
  /** Curves of all devices in place of rows; the list, in a project whose first page is its dashboard. */
  readonly view?: 'wall' | 'list';
}

const MOST_KEYS = 3;
const split = (text: string | null) => text?.split(',').filter(Boolean);

/** "?q=status:late&sort=-name&columns=status,seen&keys=temperature&trend=humidity&view=wall" behind the path of a project. */
export const devicesTail: AddressTail<DevicesShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const asked = new URLSearchParams(query);
    const filter = asked.get('q')?.trim();
    const sort = asked.get('sort');
    const columns = split(asked.get('columns'));
    const keys = split(asked.get('keys'))?.slice(0, MOST_KEYS);
    const trend = asked.get('trend');
    const view = (['wall', 'list'] as const).find((known) => known === asked.get('view'));
    const list = {
      ...(filter && { filter }),
      ...(sort && { sort: { column: sort.replace(/^-/, ''), descending: sort.startsWith('-') } }),
      ...(columns && { columns }),
      ...(keys && keys.length > 0 && { keys }),
      ...(trend && { trend }),
      ...(view && { view }),
    };
    return Object.keys(list).length > 0 ? { list } : {};
  },
  text({ list = {} }) {
    const { filter, sort, columns, keys, trend, view } = list;
    const query = [
      filter && `q=${encodeURIComponent(filter)}`,
      sort && `sort=${sort.descending ? '-' : ''}${encodeURIComponent(sort.column)}`,
      columns && `columns=${columns.map(encodeURIComponent).join(',')}`,
      keys && `keys=${keys.map(encodeURIComponent).join(',')}`,
      trend && `trend=${encodeURIComponent(trend)}`,
      view && `view=${view}`,
    ].filter(Boolean);
    return query.length > 0 ? `?${query.join('&')}` : '';
  },
};
