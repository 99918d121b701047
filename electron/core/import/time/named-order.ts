import type { DateOrder } from './time-format.ts';

const ORDER =
  /(?<![a-z])([dtjm]{1,2}|[yja]{2})([-./ ])(m{1,2}|[dtj]{1,2})\2([dtj]{1,2}|[yja]{2,4})(?![a-z])/i;

/** The order that the name of a column says, as "Date (MM/DD/YYYY)", "TT.MM.JJ" and "jj/mm/aaaa"; undefined for none. */
export function orderInName(name: string): DateOrder | undefined {
  const [, first = '', , second = '', third = ''] = ORDER.exec(name)?.map((part) => part.toLowerCase()) ?? [];
  if (first.startsWith('m')) return 'month-first';
  if (!second.startsWith('m')) return undefined;
  const endsWithDay = /^[dt]/.test(third) || (third.startsWith('j') && first.startsWith('a'));
  return endsWithDay ? 'year-first' : 'day-first';
}
