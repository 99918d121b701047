import { expect, test } from 'vitest';
import { StoreError } from '#core/base/errors.ts';
import type { RecordStore } from '#core/store/store.ts';
import { openFolder } from '#core/folder/open-folder.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

/* A switch of which nobody knows whether it is on the disk: the next start finds out, and says so. */

const SCRIPT = (factor: number) =>
  `function decodeUplink({ bytes }) { return { data: { t: bytes[0] * ${factor} } }; }`;

/** A store whose replacements fail as a failed sync leaves them. */
const poisoned = (records: RecordStore): RecordStore =>
  new Proxy(records, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (name !== 'batch') return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      return async (device: string) =>
        Object.assign(await target.batch(device), {
          replace: () => Promise.reject(new StoreError('poisoned', 'A sync has failed.')),
        });
    },
  });

async function ask<T>(service: RunningService, method: string, path: string, body?: object): Promise<T> {
  const { envelope } = await service.request(method, path, { body });
  return envelope.data as unknown as T;
}

test.skipIf(!inFolder)(
  'what decoding again has begun is not forgotten by the service that failed',
  async () => {
    const service = await runService(
      {},
      {
        isAlone: true,
        async open(options) {
          const backend = await openFolder(options);
          return { ...backend, records: poisoned(backend.records), notes: backend.notes };
        },
      },
    );
    const { id: project } = await ask<{ id: string }>(service, 'POST', '/_local/v1/projects', { name: 'P' });
    const local = `/_local/v1/projects/${project}`;
    const device = await ask<{ id: string; metadata: { device_token: string } }>(
      service,
      'POST',
      `/v2/projects/${project}/devices`,
      { name: 'Sensor', source: 'http' },
    );
    const { id } = await ask<{ id: string }>(service, 'POST', `${local}/functions`, {
      device_id: device.id,
      name: 'Decoder',
      type: 'decoder',
      script: SCRIPT(1),
      condition: { payload: 'hex' },
    });
    const raw = { type: 'text/plain', bytes: '07' };
    await service.request('POST', '/integrations/http', { key: device.metadata.device_token, raw });
    await ask(service, 'PATCH', `${local}/functions/${id}`, { script: SCRIPT(2) });
    expect((await service.request('POST', `${local}/functions/${id}/decode`, { body: {} })).status).toBe(500);
    await service.service.close();

    const next = await runService({ directory: service.directory });
    try {
      const { notes } = await ask<{ notes: readonly string[] }>(next, 'GET', '/_local/v1/status');
      expect(notes).toContain('Decoding "Sensor" again, which was cut off, had not happened.');
      const data = `/v2/projects/${project}/devices/${device.id}/data?page=1&limit=10&range=all`;
      expect(await ask(next, 'GET', data)).toMatchObject([{ 'uplink.bytes': '07', t: 7 }]);
    } finally {
      await next.stop();
    }
  },
);
