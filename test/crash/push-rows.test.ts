import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataOf } from '../contract/world.ts';
import { CuttingProxy, type Fate } from '../helpers/service/cutting-proxy.ts';
import { runService } from '../helpers/service/running-service.ts';
import { startServiceProcess } from '../helpers/service/service-process.ts';
import { runsAll } from '../helpers/some-runs.ts';

/* A lab that is killed at each of the requests that bring it rules, notes, widgets and alarms (docs/push.md). */

const secrets = { args: ['--vault', 'file'], env: { FIELDBENCH_PASSPHRASE: 'correct horse' } };
const LISTS = ['functions', 'widgets', 'alarms', 'key-settings'];
/** More than a push of one device and its project makes. */
const MOST_REQUESTS = 20;
/** Each of them takes a start of the lab, and two pushes. */
const STEP = runsAll ? 1 : 4;

test.each<Fate>(['unheard', 'unanswered'])(
  'has each row once after the next push, wherever it was killed: %s',
  async (fate) => {
    const directory = await mkdtemp(join(tmpdir(), 'fieldbench-push-'));
    const here = await runService();
    let lab = await startServiceProcess({ directory, ...secrets });
    const { id: project_id } = await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' });
    const project = `/_local/v1/projects/${project_id}`;
    const pump = { name: 'Pump', source: 'http' };
    const device = await dataOf(here, 'POST', `/v2/projects/${project_id}/devices`, pump);
    const { device_token: token } = device['metadata'] as { device_token: string };
    const notes = `${project}/devices/${device.id}/notes`;

    const push = async (to: string) => {
      const reach = { key: lab.info.api_key, project_ids: [project_id] };
      const planned = await here.bridge.call('push.plan', { ...reach, to: lab.info.http_url ?? '' });
      if (!planned.data) throw new Error(planned.message);
      return here.bridge.call('push.run', { key: reach.key, to, plan: planned.data });
    };
    /** Lists of both sides, by what each row says that goes along. */
    const said = async (get: (path: string) => Promise<unknown>) => {
      const lists = await Promise.all([...LISTS.map((list) => `${project}/${list}`), notes].map(get));
      return lists.map((rows) =>
        (rows as Record<string, unknown>[])
          .map(({ id, key, name, text, title }) => JSON.stringify([id, key, name, text, title]))
          .toSorted((a, b) => (a < b ? -1 : 1)),
      );
    };
    const own = (path: string) => dataOf(here, 'GET', path);
    const there = async (path: string) => ((await (await lab.fetch(path)).json()) as { data: unknown }).data;

    let cuts = 0;
    for (let nth = 1; nth <= MOST_REQUESTS; nth += STEP) {
      const rule = { when: { key: 'bar', above: nth }, acts: [{ do: 'note' }] };
      await dataOf(here, 'POST', `${project}/functions`, {
        device_id: device.id,
        name: `Above ${nth}`,
        type: 'rule',
        condition: rule,
      });
      const stored = await here.request('POST', '/integrations/http', { key: token, body: { bar: nth + 1 } });
      expect(stored.status).toBe(200);
      await expect.poll(async () => JSON.stringify(await own(`${project}/alarms`))).toContain(`Above ${nth}`);
      await dataOf(here, 'POST', notes, { start: '2026-03-02T20:00:00Z', text: `round ${nth}` });
      await dataOf(here, 'POST', `${project}/widgets`, {
        title: `Round ${nth}`,
        type: 'text',
        sources: [],
        layout: { x: 0, y: nth, w: 4, h: 2 },
      });

      let requests = 0;
      const proxy = new CuttingProxy(Number(new URL(lab.info.http_url ?? '').port), (piece) =>
        piece.includes('/sync/rows') && ++requests === nth ? fate : 'pass',
      );
      await push(`http://127.0.0.1:${await proxy.listen()}`);
      await lab.kill();
      await proxy.close();
      lab = await startServiceProcess({ directory, ...secrets });
      expect((await push(lab.info.http_url ?? '')).status).toBe(200);
      expect(await said(there), `cut at request ${nth}`).toEqual(await said(own));
      if (proxy.cuts === 0) break;
      cuts++;
    }
    expect(cuts).toBeGreaterThan(1);
    expect(cuts).toBeLessThan(MOST_REQUESTS);
    await lab.stop();
    await here.stop();
    await rm(directory, { recursive: true });
  },
);
