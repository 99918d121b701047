import { afterAll, beforeAll, expect, test } from 'vitest';
import type { View } from '#shared/operations/metadata/views.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* Saved views (docs/local-api.md, "Saved views"). */

const VIEWS = '/_local/v1/views';
let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  await dataOf(service, 'DELETE', `${VIEWS}/${world.view_id}`);
});
afterAll(() => service.stop());

const list = async (key?: string) => {
  const { envelope } = await service.request('GET', VIEWS, key === undefined ? {} : { key });
  return envelope.data as unknown as View[];
};

test('an address is kept under a name, which may be given twice and changed', async () => {
  const address = '#/compare?d=a,b&k=temperature&from=-6h';
  const made = await dataOf(service, 'POST', VIEWS, { name: 'Drift', address });
  expect(made).toEqual({ id: made.id, name: 'Drift', address, created_at: expect.stringMatching(/Z$/) });
  const second = await dataOf(service, 'POST', VIEWS, { name: 'Drift', address: '#/' });
  expect(await list()).toEqual([made, second]);
  const renamed = await dataOf(service, 'PATCH', `${VIEWS}/${made.id}`, { name: 'Drift of PT-107' });
  expect(await list()).toEqual([{ ...made, name: 'Drift of PT-107' }, second]);
  expect(renamed).toMatchObject({ address });
  for (const { id } of [made, second]) await dataOf(service, 'DELETE', `${VIEWS}/${id}`);
  expect(await list()).toEqual([]);
});

test.each(['', '/projects', 'https://example.org/#/', ' #/', 'javascript:alert(1)', `#/${'x'.repeat(4095)}`])(
  'the address %j is refused',
  async (address) => {
    const { status, envelope } = await service.request('POST', VIEWS, { body: { name: 'x', address } });
    expect(status).toBe(400);
    expect(envelope.message).toContain('address must be an address of the app');
    expect(await list()).toEqual([]);
  },
);

test('an account has its own views', async () => {
  const mine = await dataOf(service, 'POST', VIEWS, { name: 'Mine', address: '#/' });
  expect(await list(world.strangers_key)).toEqual([]);
  const theirs = await service.request('DELETE', `${VIEWS}/${mine.id}`, { key: world.strangers_key });
  expect(theirs.status).toBe(403);
  await dataOf(service, 'DELETE', `${VIEWS}/${mine.id}`);
});

test('a thousand views are enough', async () => {
  for (let from = 0; from < 1_000; from += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        dataOf(service, 'POST', VIEWS, { name: `${from + n}`, address: '#/' }),
      ),
    );
  const { status, envelope } = await service.request('POST', VIEWS, { body: { name: 'x', address: '#/' } });
  expect([status, envelope.message]).toEqual([
    400,
    'an account holds at most 1000 saved views; delete some first',
  ]);
});
