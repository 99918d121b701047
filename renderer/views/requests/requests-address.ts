import { REQUEST_DOORS, type RequestDoor } from '#shared/domain/sources.ts';
import { parseSort, sortText, type ListShown } from '../../components/screen/list-shown.ts';
import type { AddressTail } from '../../router.ts';

export const OUTCOMES = ['accepted', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** State of the list of requests; absent fields: all of them, the newest first. */
export interface RequestsShown extends ListShown {
  readonly door?: RequestDoor;
  readonly outcome?: Outcome;
  /** Operation, or the method where there is none: `kindOf` of a request. */
  readonly kind?: string;
  readonly device?: string;
  /** Id of the one that is open. */
  readonly open?: string;
}

/** "?find=boiler&door=mqtt&outcome=refused&kind=ingest&device=ID&sort=-time&open=7" behind the path. */
export const requestsTail: AddressTail<RequestsShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const asked = new URLSearchParams(query);
    const door = REQUEST_DOORS.find((one) => one === asked.get('door'));
    const outcome = OUTCOMES.find((one) => one === asked.get('outcome'));
    const [find, kind, device, open] = ['find', 'kind', 'device', 'open'].map((name) => asked.get(name));
    const sort = parseSort(asked.get('sort'));
    return {
      ...(find && { find }),
      ...(door && { door }),
      ...(outcome && { outcome }),
      ...(kind && { kind }),
      ...(device && { device }),
      ...(sort && { sort }),
      ...(open && { open }),
    };
  },
  text({ find, door, outcome, kind, device, sort, open }) {
    const said = Object.entries({ find, door, outcome, kind, device, sort: sort && sortText(sort), open })
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
    return said.length > 0 ? `?${said.join('&')}` : '';
  },
};
