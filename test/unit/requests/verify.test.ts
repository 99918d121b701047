import { expect, test, vi } from 'vitest';
import { createVerifier } from '#core/requests/verify.ts';
import { Group, type Kept } from '#core/requests/groups.ts';

const group = new Group({ account_id: 'a', project_id: 'p', device_id: 'd' });
const keptWith = (body: string, id: number): Kept => ({
  id,
  time: 0,
  door: 'http',
  operation: 'ingest',
  response_head: null,
  method: 'POST',
  path: '/integrations/http',
  status: 200,
  isRefused: false,
  isClaim: false,
  group,
  project_id: null,
  key_id: null,
  token: null,
  message: null,
  from: '127.0.0.1',
  fault: null,
  duration_us: 0,
  body,
  stored: 1,
  more: 0,
  change: id,
});

test('bodies that are equal are read once, and each request counts', () => {
  const requests = Array.from({ length: 300 }, (_, n) => keptWith(`{"temperature":${n % 3}}`, n));
  const verify = createVerifier({
    match: { operation: 'ingest' },
    body: { temperature: { gt: 1 } },
    count: 100,
  });
  const reads = vi.spyOn(JSON, 'parse');
  try {
    expect(verify(requests)).toMatchObject({ matched: true, count: 100, nearest: [] });
    expect(reads).toHaveBeenCalledTimes(3);
  } finally {
    reads.mockRestore();
  }
});
