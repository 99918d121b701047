import type { AddressTail } from '../../router.ts';

export const SERVICE_PARTS = ['overview', 'doors', 'storage', 'secrets', 'settings', 'audit'] as const;
export type ServicePart = (typeof SERVICE_PARTS)[number];

/** State of the service's screen. */
export interface ServiceShown {
  /** Absent: the overview. */
  readonly part?: ServicePart;
  /** Of the storage: the project whose devices are listed; absent: all projects. */
  readonly of?: string;
  /** Of the audit trail: entries of these alone. */
  readonly project?: string;
  readonly device?: string;
  /** A data key, of that device or of all. */
  readonly dataKey?: string;
  readonly by?: string;
  /** A former trail, by the SHA-256 of its last line; absent: the one of this service. */
  readonly trail?: string;
}

const OF_AUDIT = ['project', 'device', 'dataKey', 'by', 'trail'] as const;

/** "/doors", "/storage?of=<project id>" or "/audit?device=<id>" behind the path; the overview is not named. */
export const serviceTail: AddressTail<ServiceShown> = {
  parse([name = 'overview', ...rest], query) {
    const part = SERVICE_PARTS.find((known) => known === name);
    if (part === undefined || rest.length > 0) return null;
    const given = new URLSearchParams(query);
    const of = part === 'storage' ? given.get('of') : null;
    const asked = part === 'audit' ? OF_AUDIT.map((field) => [field, given.get(field)] as const) : [];
    const told = Object.fromEntries(asked.filter(([, value]) => value !== null && value !== ''));
    return { ...(part !== 'overview' && { part }), ...(of && { of }), ...told };
  },
  text({ part = 'overview', of, ...shown }) {
    const query = new URLSearchParams(part === 'storage' && of ? { of } : {});
    if (part === 'audit')
      for (const field of OF_AUDIT) if (shown[field] !== undefined) query.set(field, shown[field]);
    const text = query.toString();
    return (part === 'overview' ? '' : `/${part}`) + (text === '' ? '' : `?${text}`);
  },
};
