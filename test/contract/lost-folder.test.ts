import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { runService } from '../helpers/service/running-service.ts';

/* A service that stood still for so long that another one has taken its folder must not write there any more. */

// Of files: in a lab a folder holds little.
test.runIf(inFolder)(
  'a service whose folder another one has taken refuses to store, and says why',
  async () => {
    const running = await runService();
    const { directory, service } = running;
    const request: typeof running.request = (...args) => running.request(...args);
    const project = (await request('POST', '/_local/v1/projects', { body: { name: 'Rig' } })).envelope
      .data as unknown as { id: string };
    const device = await request('POST', `/v2/projects/${project.id}/devices`, {
      body: { name: 'Pump', source: 'http' },
    });
    const { metadata } = device.envelope.data as unknown as { metadata: { device_token: string } };
    const store = () =>
      request('POST', '/integrations/http', { key: metadata.device_token, body: { bar: 1 } });
    expect((await store()).status).toBe(200);
    const before = await readFile(join(directory, 'metadata.json'));

    const [claim = ''] = (await readdir(directory)).filter((name) => /^lock\..*\./.test(name));
    await rm(join(directory, claim));
    await expect.poll(async () => (await store()).status, { timeout: 30_000 }).toBe(500);
    expect((await store()).envelope.message).toContain("no longer this one's");
    const made = await request('POST', '/_local/v1/projects', { body: { name: 'Another' } });
    expect([made.status, made.envelope.message]).toEqual([
      500,
      expect.stringContaining("no longer this one's"),
    ]);
    // What is there can still be read.
    expect((await request('GET', '/v2/projects')).status).toBe(200);
    expect(running.logged.join('')).toContain("no longer this one's");
    expect((await request('GET', '/_local/v1/status')).envelope.data).toMatchObject({
      notes: [expect.stringContaining("no longer this one's")],
    });

    await service.close().catch((error: unknown) => {
      expect(String(error)).toContain("no longer this one's");
    });
    expect(await readFile(join(directory, 'metadata.json'))).toEqual(before);
    expect(await readdir(directory)).not.toContain(claim);
    await rm(directory, { recursive: true });
  },
);
