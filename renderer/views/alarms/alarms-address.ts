import { ALARM_FILTERS, type AlarmFilter } from '#shared/domain/alarms.ts';
import { parseSort, sortText, type ListShown } from '../../components/screen/list-shown.ts';
import type { AddressTail } from '../../router.ts';

/** States of alarms that a list can show; absent in an address: those that are to be seen. */
const SHOWN_STATES = [...ALARM_FILTERS, 'all'] as const;
export type ShownState = AlarmFilter | 'all';

/** State of the list of alarms; absent fields: of all. */
export interface AlarmsShown extends ListShown {
  readonly state?: ShownState;
  /** Ids. A device and a rule are of the project. */
  readonly project?: string;
  readonly device?: string;
  readonly rule?: string;
  /** Id of the alarm that is pointed out. */
  readonly open?: string;
}

const NAMES = ['find', 'project', 'device', 'rule', 'open'] as const;

/** "?state=open&project=ID&device=ID&sort=-since" behind the path. */
export const alarmsTail: AddressTail<AlarmsShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const asked = new URLSearchParams(query);
    const state = SHOWN_STATES.find((one) => one === asked.get('state'));
    const sort = parseSort(asked.get('sort'));
    const named = NAMES.flatMap((name) => {
      const value = asked.get(name);
      return value ? [[name, value] as const] : [];
    });
    return {
      ...Object.fromEntries(named),
      ...(state && state !== 'due' && { state }),
      ...(sort && { sort }),
    };
  },
  text({ find, state, project, device, rule, sort, open }) {
    const said = Object.entries({ find, state, project, device, rule, sort: sort && sortText(sort), open })
      .filter(
        ([name, value]) => value !== undefined && value !== '' && !(name === 'state' && value === 'due'),
      )
      .map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`);
    return said.length > 0 ? `?${said.join('&')}` : '';
  },
};
