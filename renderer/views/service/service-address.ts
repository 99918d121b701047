import type { AddressTail } from '../../router.ts';

export const SERVICE_PARTS = ['overview', 'doors', 'storage', 'secrets', 'settings'] as const;
export type ServicePart = (typeof SERVICE_PARTS)[number];

/** State of the service's screen. */
export interface ServiceShown {
  /** Absent: the overview. */
  readonly part?: ServicePart;
  /** Of the storage: the project whose devices are listed; absent: all projects. */
  readonly of?: string;
}

/** "/doors" or "/storage?of=<project id>" behind the path; the overview is not named. */
export const serviceTail: AddressTail<ServiceShown> = {
  parse([name = 'overview', ...rest], query) {
    const part = SERVICE_PARTS.find((known) => known === name);
    if (part === undefined || rest.length > 0) return null;
    const of = part === 'storage' ? new URLSearchParams(query).get('of') : null;
    return { ...(part !== 'overview' && { part }), ...(of && { of }) };
  },
  text({ part = 'overview', of }) {
    const query = part === 'storage' && of ? `?${new URLSearchParams({ of }).toString()}` : '';
    return (part === 'overview' ? '' : `/${part}`) + query;
  },
};
