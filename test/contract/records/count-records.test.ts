import { afterAll, beforeAll, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, RECORDS, type World } from '../world.ts';

/* docs/local-api.md, "Beyond /v2": how many records a span holds. */

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
});
afterAll(() => service.stop());

const counted = (query: string) => {
  const { project_id, device_id } = world;
  return dataOf(
    service,
    'GET',
    `/_local/v1/projects/${project_id}/devices/${device_id}/records/count${query}`,
  );
};
const [first, second, third] = RECORDS.map(({ timestamp }) => timestamp);

test('counts a span, both ends included, and says its first and last record', async () => {
  expect(await counted('')).toEqual({ records: 3, first, last: third });
  expect(await counted(`?start=${second}`)).toEqual({ records: 2, first: second, last: third });
  expect(await counted(`?end=${second}`)).toEqual({ records: 2, first, last: second });
  expect(await counted(`?start=${second}&end=${second}`)).toEqual({
    records: 1,
    first: second,
    last: second,
  });
});

test('a span without records has no first and no last one', async () => {
  expect(await counted('?start=1980-01-01T00:00:00Z&end=1990-01-01T00:00:00Z')).toEqual({
    records: 0,
    first: null,
    last: null,
  });
});
