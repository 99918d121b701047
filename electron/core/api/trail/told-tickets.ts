import { StoreError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import type { Tickets } from '../../backend/tickets.ts';
import type { Metadata } from '../../store/metadata/metadata.ts';
import type { Actor } from '../../store/trail/entry.ts';

const BROWSER: Actor = { kind: 'window', name: 'browser' };

/**
 * The same tickets: the audit trail tells of each browser that is let in, and that signs out, once it is. A disk that takes no line
 * keeps nobody out, who may come to make room.
 */
export function toldTickets(
  tickets: Tickets,
  {
    metadata,
    account_id,
    log,
  }: { readonly metadata: Metadata; readonly account_id: string; readonly log: Logger },
): Tickets {
  async function tell(operation: string): Promise<void> {
    try {
      await metadata.change((tables) => tables.tell({ outcome: 'done' }), {
        by: BROWSER,
        operation,
        account_id,
      });
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      log.error(`The audit trail lacks ${operation}`, error);
    }
  }
  return {
    issue: () => tickets.issue(),
    async redeem(ticket) {
      const admission = await tickets.redeem(ticket);
      if (admission !== null) await tell('console.enter');
      return admission;
    },
    holds: (ticket) => tickets.holds(ticket),
    isVisitor: (cookie, port) => tickets.isVisitor(cookie, port),
    isSecret: (secret) => tickets.isSecret(secret),
    holding: (secrets) => tickets.holding(secrets),
    async signOut(cookie, secret) {
      const wasIn = (await tickets.isVisitor(cookie)) || (await tickets.isSecret(secret));
      await tickets.signOut(cookie, secret);
      if (wasIn) await tell('console.leave');
    },
    get returning() {
      return tickets.returning;
    },
  };
}
