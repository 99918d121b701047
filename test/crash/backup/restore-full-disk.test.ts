import { hash } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerTo, backupOf } from '../../contract/backup/backups.ts';
import { dataOf } from '../../contract/world.ts';
import { mountingRefused, mountSmallDisk, type SmallDisk } from '../../faults/small-disk.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';

describe.skipIf((await mountingRefused()) !== null)('a service on a small disk', () => {
  let disk: SmallDisk;
  let here: RunningService;
  let small: RunningService;
  beforeAll(async () => {
    disk = await mountSmallDisk(8);
    here = await runService({ vault: 'memory' });
    small = await runService({ vault: 'memory', directory: join(disk.directory, 'data') });
  });
  afterAll(async () => {
    await small.stop();
    await here.stop();
    await disk.remove();
  });

  test(
    'that a restore fills up has nothing of it, and with space all of it',
    { timeout: 120_000 },
    async () => {
      const project = await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' });
      const path = `/v2/projects/${project.id}/devices`;
      for (let device = 0; device < 3; device++) {
        const { metadata } = await dataOf(here, 'POST', path, { name: `Pump ${device}`, source: 'http' });
        const { device_token: key } = metadata as { device_token: string };
        // Texts that nothing makes smaller.
        const text = (n: number) =>
          Array.from({ length: 62 }, (_, part) => hash('sha512', `${device}, ${n}, ${part}`, 'base64')).join(
            '',
          );
        for (let some = 0; some < 4; some++) {
          const body = Array.from({ length: 200 }, (_, n) => ({
            timestamp: some * 200 + n,
            text: text(some * 200 + n),
          }));
          expect((await here.request('POST', '/integrations/http', { key, body })).status).toBe(200);
        }
      }
      const bytes = await backupOf(here);
      const full = await answerTo(small, bytes);
      expect(full.status).toBe(500);
      expect(full.envelope.message).toMatch(/disk is full/);
      expect(await dataOf(small, 'GET', '/_local/v1/status')).toMatchObject({
        counts: { projects: 0, devices: 0 },
      });
      await disk.grow(64);
      const { envelope, text } = await answerTo(small, bytes);
      expect(envelope.success, text).toBe(true);
      expect(envelope.data).toMatchObject({ devices: { new: 3 }, records: { new: 2400 } });
      const devices = async (at: RunningService) => {
        const all = [];
        for (const { id } of (await dataOf(at, 'GET', path)) as unknown as readonly { id: string }[])
          all.push(
            (await dataOf(at, 'POST', `/_local/v1/projects/${project.id}/devices/${id}/digest`, EVER))[
              'parts'
            ],
          );
        return all;
      };
      expect(await devices(small)).toEqual(await devices(here));
    },
  );
});

const EVER = { start: '1970-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z', parts: 1 };
