import { compareNames } from './order.ts';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The last order of each list: what is nearly in order is put in order quickly. */
const lastOrders = new Map<string, { readonly given: readonly Named[]; readonly sorted: readonly Named[] }>();
const MOST_ORDERS = 200;

/** Sorts naturally by name, equal names by id. `list` names the list, which is sorted again and again. */
export function byName<T extends Named>(all: readonly T[], list: string): readonly T[] {
  const last = lastOrders.get(list);
  // It is what this list was before; the compiler cannot know that.
  if (last?.given === all) return last.sorted as readonly T[];
  const present = new Map(all.map((each) => [each.id, each]));
  const nearly: T[] = [];
  for (const { id } of last?.sorted ?? []) {
    const each = present.get(id);
    if (each && present.delete(id)) nearly.push(each);
  }
  nearly.push(...present.values());
  const sorted = nearly.toSorted((a, b) => compareNames(a.name, b.name) || (a.id < b.id ? -1 : 1));
  lastOrders.delete(list);
  lastOrders.set(list, { given: all, sorted });
  for (const [oldest] of lastOrders) if (lastOrders.size > MOST_ORDERS) lastOrders.delete(oldest);
  return sorted;
}
