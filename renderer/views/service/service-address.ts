import { parseSort, sortText } from '../../components/screen/list-shown.ts';
import type { Sort } from '../../components/table/column.ts';
import type { AddressTail } from '../../router.ts';

export const SERVICE_PARTS = ['overview', 'doors', 'storage', 'secrets', 'settings', 'refused'] as const;
export type ServicePart = (typeof SERVICE_PARTS)[number];

/** State of the service's screen. */
export interface ServiceShown {
  /** Absent: the overview. */
  readonly part?: ServicePart;
  /** Of the list of refused requests; absent: none. */
  readonly search?: string;
  /** Of the same list; absent: the newest first. */
  readonly sort?: Sort;
  /** Of the storage: the project whose devices are listed; absent: all projects. */
  readonly of?: string;
}

/** Query fields of each part. */
const OWN: Readonly<Partial<Record<ServicePart, 'search' | 'of'>>> = { refused: 'search', storage: 'of' };

/** "/refused?search=Zq9k&sort=-reason" or "/storage?of=<project id>" behind the path; the overview is not named. */
export const serviceTail: AddressTail<ServiceShown> = {
  parse([name = 'overview', ...rest], query) {
    const part = SERVICE_PARTS.find((known) => known === name);
    if (part === undefined || rest.length > 0) return null;
    const own = OWN[part];
    const value = own === undefined ? null : new URLSearchParams(query).get(own);
    const sort = part === 'refused' ? parseSort(new URLSearchParams(query).get('sort')) : undefined;
    return {
      ...(part !== 'overview' && { part }),
      ...(own !== undefined && value && { [own]: value }),
      ...(sort && { sort }),
    };
  },
  text({ part = 'overview', ...shown }) {
    const own = OWN[part];
    const value = own === undefined ? '' : (shown[own] ?? '');
    const query = new URLSearchParams();
    if (own !== undefined && value !== '') query.set(own, value);
    if (part === 'refused' && shown.sort) query.set('sort', sortText(shown.sort));
    return (part === 'overview' ? '' : `/${part}`) + (query.size > 0 ? `?${query.toString()}` : '');
  },
};
