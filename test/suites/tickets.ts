import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_VISITORS, type Admission, type Tickets } from '#core/backend/tickets.ts';

/** Tickets of one service, or of several that share them. */
export interface TicketsPlace {
  readonly services: readonly Tickets[];
  /** Makes what lasts ten minutes older by as much. */
  readonly lapse: () => Promise<void>;
}

const SECRET = /^[\w-]{43}$/;
const which = fc.nat();
const step = fc.oneof(
  fc.record({ kind: fc.constant('issue' as const), by: which }),
  fc.record({ kind: fc.constant('redeem' as const), by: which, of: which, twice: fc.boolean() }),
  fc.record({ kind: fc.constant('lapse' as const) }),
);

/** What tickets do whoever keeps them: each service of a place knows what any other one has said. */
export function ticketsSuite(name: string, place: () => Promise<TicketsPlace>, numRuns: number): void {
  test(`${name}: a ticket lets in once and within ten minutes, and who is in stays in`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const { services, lapse } = await place();
        const at = (by: number) => services[by % services.length] as Tickets;
        const issued: string[] = [];
        const good = new Set<string>();
        const let_in: Admission[] = [];
        for (const one of steps) {
          if (one.kind === 'issue') {
            const ticket = await at(one.by).issue();
            expect(ticket).toMatch(SECRET);
            issued.push(ticket);
            good.add(ticket);
          } else if (one.kind === 'lapse') {
            await lapse();
            good.clear();
          } else {
            const ticket = issued[one.of % Math.max(1, issued.length)] ?? 'never one';
            const both = [at(one.by), ...(one.twice ? [at(one.by + 1)] : [])];
            const admissions = await Promise.all(both.map(async (tickets) => tickets.redeem(ticket)));
            const found = admissions.filter((admission) => admission !== null);
            expect(found).toHaveLength(good.delete(ticket) ? 1 : 0);
            let_in.push(...found);
          }
          for (const tickets of services) {
            for (const ticket of issued) expect(await tickets.holds(ticket)).toBe(good.has(ticket));
            for (const { cookie, secret } of let_in) {
              expect([await tickets.isVisitor(cookie), await tickets.isSecret(secret)]).toEqual([true, true]);
              expect([await tickets.isVisitor(secret), await tickets.isSecret(cookie)]).toEqual([
                false,
                false,
              ]);
            }
          }
        }
        const all = [...issued, ...let_in.flatMap(({ cookie, secret }) => [cookie, secret])];
        expect(new Set(all).size).toBe(all.length);
      }),
      { numRuns },
    );
  });

  test(`${name}: one browser more than there may be signs out the one that came first`, async () => {
    const { services } = await place();
    const at = (n: number) => services[n % services.length] as Tickets;
    const visitors: Admission[] = [];
    for (let n = 0; n <= MAX_VISITORS; n++) {
      const admission = await at(n + 1).redeem(await at(n).issue());
      if (admission) visitors.push(admission);
    }
    expect(visitors).toHaveLength(MAX_VISITORS + 1);
    const [first, ...others] = visitors;
    expect(await at(0).isVisitor(first?.cookie ?? '')).toBe(false);
    expect(await at(1).isSecret(first?.secret ?? '')).toBe(false);
    for (const { cookie } of others) expect(await at(0).isVisitor(cookie)).toBe(true);
  });
}
