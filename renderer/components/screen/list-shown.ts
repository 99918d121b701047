import type { AddressTail } from '../../router.ts';
import type { Sort } from '../table/column.ts';

/** State of a list; absent fields are as at first. */
export interface ListShown {
  readonly find?: string;
  readonly sort?: Sort;
}

/** `-size`: by that column, the largest first. */
export function sortText({ column, descending }: Sort): string {
  return (descending ? '-' : '') + column;
}

export function parseSort(text: string | null): Sort | undefined {
  const column = text?.replace(/^-/, '') ?? '';
  return column === '' ? undefined : { column, descending: text?.startsWith('-') === true };
}

/** "?find=press&sort=-size" behind the path of a screen that is a list. */
export const listTail: AddressTail<ListShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const asked = new URLSearchParams(query);
    const find = asked.get('find');
    const sort = parseSort(asked.get('sort'));
    return { ...(find && { find }), ...(sort && { sort }) };
  },
  text({ find = '', sort }) {
    const query = [find && `find=${encodeURIComponent(find)}`, sort && `sort=${sortText(sort)}`];
    const said = query.filter(Boolean);
    return said.length > 0 ? `?${said.join('&')}` : '';
  },
};
