import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/api.md, "Fields": what says which records go or come is not passed over. */

let service: RunningService;
let world: World;
let records: string;
let data: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  data = `/v2/projects/${world.project_id}/devices/${world.device_id}/data`;
  records = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}/records`;
});
afterAll(() => service.stop());

const count = async () => (await dataOf(service, 'GET', `${records}/count`)) as unknown;

const SPAN = 'from=2026-03-02T20:31:00Z&to=2026-03-02T20:32:00Z';
test.each([
  ['other names of a span', 'DELETE', `?${SPAN}`, 'from is no parameter here, which are start, end, reason.'],
  [
    'a capital',
    'DELETE',
    '?Start=2026-03-02T20:31:00Z',
    'Start is no parameter here, which are start, end, reason.',
  ],
  [
    'keys, of which none is deleted alone',
    'DELETE',
    '?keys=a',
    'keys is no parameter here, which are start, end, reason.',
  ],
  ['a misspelt span to be exported', 'GET', '?strat=2026-03-02T20:31:00Z', /^strat is no parameter here/],
  ['a misspelt choice of an import', 'POST', '?exsting=skip', /^exsting is no parameter here.* existing/],
])('%s is refused with what there is, and nothing is done', async (_, method, query, message) => {
  const before = await count();
  const { status, envelope } = await service.request(method, `${records}${query}`);
  expect({ status, message: envelope.message }).toEqual({
    status: 400,
    message: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
  });
  expect(await count()).toEqual(before);
});

test('a delete whose span stands in a body deletes nothing', async () => {
  const before = await count();
  const { status, envelope } = await service.request('DELETE', records, {
    body: { start: '2026-03-02T20:31:00Z', end: '2026-03-02T20:32:00Z' },
  });
  expect(status).toBe(400);
  expect(envelope.message).toBe(
    'start and end must be in the query; this request has a body, which would not be read.',
  );
  expect(await count()).toEqual(before);
});

test.each(['start=2026-03-02T20:31:00Z', 'end=2026-03-02T20:31:00Z', 'range=time', 'keys=a'])(
  'a purge of /v2 with %s removes nothing: it would be all records, for good',
  async (query) => {
    const before = await count();
    const { status, envelope } = await service.request('DELETE', `${data}?${query}`);
    const [name] = query.split('=');
    expect({ status, message: envelope.message }).toEqual({
      status: 400,
      message: `${name} is no parameter here: a purge is of all records of the device.`,
    });
    expect(await count()).toEqual(before);
  },
);

test('a purge of /v2 with what Fetch data has for all records is one', async () => {
  const { status } = await service.request('DELETE', `${data}?range=all&page=1`);
  expect(status).toBe(200);
  expect(await count()).toMatchObject({ records: 0 });
});

test('who has no key learns none of it', async () => {
  const { status } = await service.request('DELETE', `${records}?${SPAN}`, { key: 'fb_nobody' });
  expect(status).toBe(401);
});
