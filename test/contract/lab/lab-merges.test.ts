import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import type { Value } from '#core/store/store.ts';
import { lineOf } from '#core/sync/lines.ts';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { clients, mergesAtOnce, type Door } from '../../helpers/lab/merges-at-once.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import type { RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';
import { someRuns } from '../../helpers/some-runs.ts';

/* Two pushes of one device at once may come to two services of one lab (docs/push.md). */

const RUNS = someRuns(64);

describe.skipIf(!hasPostgres)('three services over one database', () => {
  let postgres: Postgres;
  let lab: Lab;
  let project_id: string;
  beforeAll(async () => {
    postgres = await sharedPostgres();
    lab = await startLab(postgres, 3);
    const [first] = lab.services as [RunningService];
    project_id = (await dataOf(first, 'POST', '/_local/v1/projects', { name: 'Field' })).id;
  });
  afterAll(async () => {
    await lab.stop();
  });

  /** One device by the HTTP door of a service. */
  function doorOf(service: RunningService, id: string, token: string): Door {
    const local = `/_local/v1/projects/${project_id}/devices/${id}`;
    const ask = async (...asked: Parameters<RunningService['request']>) => {
      const answer = await service.request(...asked);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return answer;
    };
    return {
      merge: (sent, isAll) =>
        ask('POST', `${local}/merge?removed=${isAll ? 'store' : 'leave-out'}`, {
          raw: { type: 'application/x-ndjson', bytes: sent.map(lineOf).join('') },
        }),
      append: (records) =>
        ask('POST', '/integrations/http', {
          key: token,
          body: records.map(({ timestamp, keys, values }) => ({
            timestamp: formatMicros(timestamp),
            ...Object.fromEntries(keys.map((key, i) => [key, values[i]])),
          })),
        }),
      purge: () => ask('DELETE', `/v2/projects/${project_id}/devices/${id}/data`),
      deleteRange: ({ start = 0, end = 0 }) =>
        ask('DELETE', `${local}/records?start=${formatMicros(start)}&end=${formatMicros(end)}`),
      async all() {
        const { text } = await ask(
          'GET',
          `/v2/projects/${project_id}/devices/${id}/data?page=1&limit=10000&range=all`,
        );
        const { data } = JSON.parse(text) as { data: Record<string, Value>[] };
        return data.map(({ timestamp, ...fields }) => ({
          timestamp: parseInstant(String(timestamp)) ?? Number.NaN,
          received: 0,
          keys: Object.keys(fields),
          values: Object.values(fields),
        }));
      },
    };
  }

  test('keep the union of what is merged into one device through all of them at once', async () => {
    await fc.assert(
      fc.asyncProperty(clients, async (acts) => {
        const [first] = lab.services as [RunningService];
        const path = `/v2/projects/${project_id}/devices`;
        const device = await dataOf(first, 'POST', path, { name: 'Pump', source: 'http' });
        const { device_token } = device['metadata'] as { device_token: string };
        await mergesAtOnce(
          lab.services.map((service) => doorOf(service, device.id, device_token)),
          acts,
        );
      }),
      { numRuns: RUNS },
    );
  });
});
