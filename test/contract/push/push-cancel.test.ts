import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFront, type HttpFront } from '../../helpers/service/http-front.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* Cancel in the jobs tray, at whatever a push just asks the lab for: what was sent until then stays, and the next one goes on. */

const RECORDS = 20_000;
const EVER = { start: '1970-01-01T00:00:00Z', end: '2100-01-01T00:00:00Z', parts: 1 };

let here: RunningService;
let lab: RunningService;
let front: HttpFront;
/** Requests that reach the lab before the push is cancelled. */
let left = Infinity;

beforeAll(async () => {
  here = await runService();
  lab = await runService();
  front = await openFront(Number(new URL(lab.service.http_url ?? '').port), async () => {
    if (left-- > 0) return null;
    left = Infinity;
    const jobs = await here.bridge.call('jobs.list', {});
    const push = jobs.data?.find(({ kind, state }) => kind === 'push' && state === 'running');
    if (push) await here.bridge.call('jobs.cancel', { id: push.id });
    return null;
  });
});
afterAll(async () => {
  await front.close();
  await here.stop();
  await lab.stop();
});

async function deviceWithRecords(): Promise<{ readonly project_id: string; readonly path: string }> {
  const project_id = (await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' })).id;
  const path = `/v2/projects/${project_id}/devices`;
  const { id, metadata } = await dataOf(here, 'POST', path, { name: 'Pump', source: 'http' });
  const key = (metadata as { device_token: string }).device_token;
  const body = Array.from({ length: RECORDS }, (_, n) => ({ timestamp: 1_770_000_000_000 + n * 1000, n }));
  expect((await here.request('POST', '/integrations/http', { key, body })).status).toBe(200);
  return { project_id, path: `/_local/v1/projects/${project_id}/devices/${id}` };
}

test('a push that is cancelled at any request ends as that, and the one after it finishes', async () => {
  const { project_id, path } = await deviceWithRecords();
  const reach = { to: front.url, key: lab.service.api_key };
  /** How it ended: null where it was cancelled. */
  const push = async (cancelled: number) => {
    left = cancelled;
    const planned = await here.bridge.call('push.plan', { ...reach, project_ids: [project_id] });
    const ran = planned.data ? await here.bridge.call('push.run', { ...reach, plan: planned.data }) : planned;
    left = Infinity;
    if (ran.data === null) expect(ran).toMatchObject({ success: false, message: 'The push was cancelled.' });
    return ran.data;
  };
  let steps = 0;
  while ((await push(steps)) === null) steps++;
  // Looks, digests, projects, devices and merges were each met.
  expect(steps).toBeGreaterThan(6);
  expect((await here.bridge.call('jobs.list', {})).data).toEqual([]);
  expect(await push(Infinity)).toMatchObject({ sent: 0, devices: [{ problem: null, present: RECORDS }] });
  const [own, theirs] = await Promise.all(
    [here, lab].map((side) => dataOf(side, 'POST', `${path}/digest`, EVER)),
  );
  expect(own).toMatchObject({ parts: [{ records: RECORDS }] });
  expect(theirs).toEqual(own);
});
