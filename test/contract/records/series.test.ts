import { expect, test } from 'vitest';
import { runService } from '../../helpers/service/running-service.ts';
import { createWorld } from '../world.ts';

/* docs/local-api.md, "Beyond /v2": the decimated series of a device. */

test('a span before the first record has no points, whether or not it says where it begins', async () => {
  const service = await runService();
  try {
    const { project_id, device_id } = await createWorld(service);
    const path = `/_local/v1/projects/${project_id}/devices/${device_id}/series?width=4&keys=temperature`;
    const end = '1990-01-01T00:00:00Z';
    for (const query of [`&end=${end}`, `&start=1980-01-01T00:00:00Z&end=${end}`]) {
      const { envelope } = await service.request('GET', path + query);
      expect(envelope).toMatchObject({
        status: 200,
        data: {
          end: '1990-01-01T00:00:00.000000Z',
          keys: [{ key: 'temperature', counts: [0, 0, 0, 0], min: [null, null, null, null] }],
        },
      });
    }
    const { envelope } = await service.request('GET', `${path}&end=2100-01-01T00:00:00Z`);
    const [{ counts }] = (envelope.data as unknown as { keys: [{ counts: number[] }] }).keys;
    expect(counts.some((count) => count > 0)).toBe(true);
  } finally {
    await service.stop();
  }
});
