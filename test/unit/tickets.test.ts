import { OwnTickets } from '#core/backend/own-tickets.ts';
import { ticketsSuite } from '../suites/tickets.ts';

ticketsSuite(
  'of one process',
  () => {
    let now = 1_000_000;
    const lapse = () => Promise.resolve(void (now += 10 * 60_000));
    return Promise.resolve({ services: [new OwnTickets({ now: () => now })], lapse });
  },
  100,
);
