import { createTickets } from '#core/backend/tickets.ts';
import { ticketsSuite } from '../suites/tickets.ts';

ticketsSuite(
  'of one process',
  () => {
    let now = 1_000_000;
    const lapse = () => Promise.resolve(void (now += 10 * 60_000));
    return Promise.resolve({ services: [createTickets(() => now)], lapse });
  },
  100,
);
