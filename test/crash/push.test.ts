import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf } from '../contract/world.ts';
import { CuttingProxy } from '../helpers/service/cutting-proxy.ts';
import { runService } from '../helpers/service/running-service.ts';
import { startServiceProcess } from '../helpers/service/service-process.ts';

const RECORDS = 5000;
const secrets = { args: ['--vault', 'file'], env: { FIELDBENCH_PASSPHRASE: 'correct horse' } };

test('a lab that is killed when it has stored, and not yet answered, is sent nothing twice', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'fieldbench-push-'));
  const here = await runService();
  const project = await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' });
  const path = `/v2/projects/${project.id}/devices`;
  const device = await dataOf(here, 'POST', path, { name: 'Pump', source: 'http' });
  const { device_token: key } = device['metadata'] as { device_token: string };
  const body = Array.from({ length: RECORDS }, (_, n) => ({ timestamp: 1_770_000_000_000 + n, n }));
  await here.request('POST', '/integrations/http', { key, body });

  let lab = await startServiceProcess({ directory, ...secrets });
  const push = async (to: string | null) => {
    const reach = { to: to ?? '', key: lab.info.api_key };
    const planned = await here.bridge.call('push.plan', { ...reach, project_ids: [project.id] });
    expect(planned.message).toBe('Push planned successfully.');
    if (!planned.data) throw new Error(planned.message);
    return here.bridge.call('push.run', { ...reach, plan: planned.data });
  };
  const port = Number(new URL(lab.info.http_url ?? '').port);
  const proxy = new CuttingProxy(port, (piece) => (piece.includes('/merge') ? 'unanswered' : 'pass'));
  const cut = await push(`http://127.0.0.1:${await proxy.listen()}`);
  expect([cut.status, proxy.cuts]).toEqual([503, 1]);
  await lab.kill();
  await proxy.close();

  lab = await startServiceProcess({ directory, ...secrets });
  const { data } = await push(lab.info.http_url);
  expect(data).toMatchObject({ sent: 0, devices: [{ present: RECORDS, problem: null }] });
  const answer = await lab.fetch(`${path}/${device.id}/data?page=1&limit=1&range=all`);
  expect(answer.headers.get('x-total-count')).toBe(String(RECORDS));
  await lab.stop();
  await here.stop();
  await rm(directory, { recursive: true });
});
