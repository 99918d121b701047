import { hash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PushPlan } from '#shared/operations/records/push.ts';
import { dataOf } from '../contract/world.ts';
import { mountingRefused, mountSmallDisk, type SmallDisk } from '../faults/small-disk.ts';
import { runService, type RunningService } from '../helpers/service/running-service.ts';

const EVER = { start: '1970-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z', parts: 1 };

describe.skipIf((await mountingRefused()) !== null)('a lab on a small disk', () => {
  let disk: SmallDisk;
  let here: RunningService;
  let lab: RunningService;
  beforeAll(async () => {
    disk = await mountSmallDisk(8);
    here = await runService();
    lab = await runService({ directory: join(disk.directory, 'data') });
  });
  afterAll(async () => {
    await lab.stop();
    await here.stop();
    await disk.remove();
  });

  test('that fills up in a push says so of its device, and with space the next push ends with the very same records', async () => {
    const project = await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' });
    const path = `/v2/projects/${project.id}/devices`;
    const { id, metadata } = await dataOf(here, 'POST', path, { name: 'Pump', source: 'http' });
    const { device_token: key } = metadata as { device_token: string };
    // Texts that nothing makes smaller.
    const text = (n: number) =>
      Array.from({ length: 62 }, (_, part) => hash('sha512', `${n}, ${part}`, 'base64')).join('');
    for (let some = 0; some < 12; some++) {
      const body = Array.from({ length: 200 }, (_, n) => some * 200 + n).map((n) => ({
        timestamp: n,
        text: text(n),
      }));
      expect((await here.request('POST', '/integrations/http', { key, body })).status).toBe(200);
    }
    const reach = { to: lab.service.http_url ?? '', key: lab.service.api_key };
    const push = async () => {
      const planned = await here.bridge.call('push.plan', { ...reach, project_ids: [project.id] });
      expect(planned.message).toBe('Push planned successfully.');
      const { data } = await here.bridge.call('push.run', { ...reach, plan: planned.data as PushPlan });
      if (data === null) throw new Error('The push ended.');
      return data;
    };
    const full = await push();
    expect(full.devices[0]?.problem).toMatch(/disk is full/);
    expect(full.sent).toBeGreaterThan(0);
    expect(full.sent).toBeLessThan(2400);

    const at = `/_local/v1/projects/${project.id}/devices/${id}/digest`;
    const parts = async (side: RunningService) => (await dataOf(side, 'POST', at, EVER))['parts'];
    // What was said to be sent is there.
    expect(await parts(lab)).toMatchObject([{ records: full.sent }]);
    await disk.grow(64);
    expect(await push()).toMatchObject({ sent: 2400 - full.sent, devices: [{ problem: null }] });
    expect(await parts(lab)).toEqual(await parts(here));
  });
});
