import type { Examination } from '#shared/operations/records/records.ts';
import { countOf } from '../format.ts';

type Found = Pick<Examination, 'records' | 'unreadable' | 'empty'>;

/** What the whole of a file holds, in a line: its records, and the rows that are none. */
export function foundWords({ records, unreadable, empty }: Found): string {
  const told = countOf(records, 'record');
  if (unreadable + empty === 0)
    return records === 0 ? `${told}: there is no row below the names` : `${told} · every row can be read`;
  const others = [
    unreadable > 0 && countOf(unreadable, 'row that cannot be read', 'rows that cannot be read'),
    empty > 0 && `${countOf(empty, 'row without a value is', 'rows without a value are')} left out`,
  ];
  return [told, ...others].filter((part) => part !== false).join(' · ');
}
