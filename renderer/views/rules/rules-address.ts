import type { AddressTail } from '../../router.ts';

/** State of the rules of a project. */
export interface RulesShown {
  readonly find?: string;
  /** Rule that is written: its id, or `new`. */
  readonly open?: string;
}

/** "?find=boiler&open=new" behind the path. */
export const rulesTail: AddressTail<RulesShown> = {
  parse(parts, query) {
    if (parts.length > 0) return null;
    const asked = new URLSearchParams(query);
    const [find, open] = [asked.get('find'), asked.get('open')];
    return { ...(find && { find }), ...(open && { open }) };
  },
  text({ find = '', open = '' }) {
    const said = [find && `find=${encodeURIComponent(find)}`, open && `open=${encodeURIComponent(open)}`];
    const query = said.filter(Boolean).join('&');
    return query && `?${query}`;
  },
};
