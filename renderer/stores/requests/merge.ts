import type { SeenRequest } from '#shared/operations/service/requests.ts';

/** Requests that a window shows: as many as the service keeps of all senders for sure. */
export const MOST_SHOWN = 4000;

/** Rows with those that came in front of them, and those that were counted in their places. */
export function merged(rows: readonly SeenRequest[], found: readonly SeenRequest[]): readonly SeenRequest[] {
  const newest = rows[0]?.id ?? 0;
  const came = found.filter(({ id }) => id > newest);
  if (came.length === found.length) return [...came, ...rows];
  const counted = new Map(found.map((request) => [request.id, request]));
  return [...came, ...rows.map((row) => counted.get(row.id) ?? row)];
}

/** As many as are shown; behind those that came while the list stands still, what it shows stays. */
export function upToMost(rows: readonly SeenRequest[], held: number | null): readonly SeenRequest[] {
  if (rows.length <= MOST_SHOWN) return rows;
  if (held === null) return rows.slice(0, MOST_SHOWN);
  const came = rows.filter(({ id }) => id > held);
  return [...came.slice(0, MOST_SHOWN), ...rows.slice(came.length)];
}
