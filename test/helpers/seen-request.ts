import type { SeenRequest } from '#shared/operations/service/requests.ts';

/** A request of a device that was stored, but for what is given. */
export const seenRequest = (given: Partial<SeenRequest>): SeenRequest => ({
  id: 1,
  time: '2026-01-05T08:00:00.000000Z',
  door: 'http',
  operation: 'ingest',
  method: 'POST',
  path: '/integrations/http',
  status: 200,
  refused: false,
  device_id: 'pump',
  project_id: 'hall',
  key: null,
  token: null,
  stored: 1,
  more: 0,
  change: given.id ?? 1,
  message: null,
  body: '{"temperature":21.5}',
  response_head: null,
  fault: null,
  from: '127.0.0.1',
  duration_us: 2400,
  ...given,
});
