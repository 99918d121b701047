import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PushPlan } from '#shared/operations/records/push.ts';
import { openFront, type HttpFront, type Instead } from '../../helpers/service/http-front.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* A lab, or a gateway before it, that takes no more just now, or not so much at once (docs/push.md, "Limits"). */

let here: RunningService;
let lab: RunningService;
let front: HttpFront;
let project_id: string;
/** What is answered in the lab's place to a merge of so many bytes. */
let meet: (path: string, bytes: number) => Instead | null = () => null;

beforeAll(async () => {
  here = await runService();
  lab = await runService();
  front = await openFront(Number(new URL(lab.service.http_url ?? '').port), (path, headers) =>
    meet(path, Number(headers['content-length'])),
  );
});
afterAll(async () => {
  await front.close();
  await here.stop();
  await lab.stop();
});
beforeEach(async () => {
  meet = () => null;
  project_id = (await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' })).id;
  for (const name of ['Pump', 'Valve']) {
    const path = `/v2/projects/${project_id}/devices`;
    const { metadata } = await dataOf(here, 'POST', path, { name, source: 'http' });
    const key = (metadata as { device_token: string }).device_token;
    const records = name === 'Pump' ? 300 : 3;
    const body = Array.from({ length: records }, (_, n) => ({
      timestamp: 1_770_000_000_000 + n * 1000,
      text: 'x'.repeat(1000),
    }));
    expect((await here.request('POST', '/integrations/http', { key, body })).status).toBe(200);
  }
});

const reach = () => ({ to: front.url, key: lab.service.api_key });

async function planned(): Promise<PushPlan> {
  const answer = await here.bridge.call('push.plan', { ...reach(), project_ids: [project_id] });
  expect(answer.message).toBe('Push planned successfully.');
  return answer.data as PushPlan;
}

const run = (plan: PushPlan) => here.bridge.call('push.run', { ...reach(), plan });
const isMerge = (path: string) => path.endsWith('/merge');
const refusal = (status: number, message: string): Instead => ({
  status,
  headers: { 'content-type': 'application/json', 'retry-after': '0' },
  body: JSON.stringify({ status, success: false, action: 'merge records', message, data: null }),
});
/** As gateways answer, who know nothing of envelopes. */
const page = (status: number): Instead => ({
  status,
  headers: { 'content-type': 'text/html', 'retry-after': '0' },
  body: `<html><body><h1>${status}</h1></body></html>`,
});

describe('a lab that has no room just now', () => {
  test.each([
    ['says so', refusal(429, 'Too much at once.')],
    ['lets a gateway say so', page(503)],
  ])('and %s is asked again until it has', async (_, busy) => {
    const plan = await planned();
    let asked = 0;
    meet = () => ([0, 1, 4].includes(asked++) ? busy : null);
    expect((await run(plan)).data).toMatchObject({
      sent: 303,
      devices: [{ problem: null }, { problem: null }],
    });
    expect(asked).toBeGreaterThan(5);
  });

  test('and has none later either ends the push at once for all devices, with its reason; the same plan then goes on', async () => {
    const plan = await planned();
    meet = (path) => (isMerge(path) ? refusal(429, 'Too much at once.') : null);
    expect(await run(plan)).toMatchObject({
      status: 503,
      message: expect.stringMatching(/Too much at once\. .*the same push goes on from there\.$/),
    });
    meet = () => null;
    expect((await run(plan)).data).toMatchObject({
      sent: 303,
      devices: [{ problem: null }, { problem: null }],
    });
  });
});

describe('what is too large', () => {
  test.each([
    ['the lab', refusal(413, 'Too large.')],
    ['a gateway', page(413)],
  ])('for %s is sent in smaller pieces', async (_, tooLarge) => {
    let refused = 0;
    meet = (path, bytes) => (path.endsWith('/rehearse') && bytes > 40_000 ? tooLarge : null);
    const plan = await planned();
    expect(plan.seconds).toBeNull();
    meet = (path, bytes) => {
      if (!isMerge(path) || bytes <= 40_000) return null;
      refused++;
      return tooLarge;
    };
    expect((await run(plan)).data).toMatchObject({
      sent: 303,
      devices: [{ problem: null }, { problem: null }],
    });
    expect(await planned()).toMatchObject({ send: 0, devices: [{ present: 300 }, { present: 3 }] });
    // 315,000 bytes, and each half of them once more: not each piece anew.
    expect(refused).toBeLessThan(8);
  });

  test('in a single record stops its device alone, with how large it is', async () => {
    const plan = await planned();
    meet = (path, bytes) => (isMerge(path) && bytes > 900 ? refusal(413, 'Too large.') : null);
    const { data } = await run(plan);
    expect(data).toMatchObject({ sent: 0 });
    for (const { problem } of data?.devices ?? [])
      expect(problem).toMatch(/Too large\..*one record of 1.?\d* (kB|KB|bytes)/);
  });

  test('is not met by gateways that take a mebibyte, as nginx does where nobody says otherwise', async () => {
    let largest = 0;
    meet = (path, bytes) => {
      if (isMerge(path)) largest = Math.max(largest, bytes);
      return null;
    };
    const path = `/v2/projects/${project_id}/devices`;
    const { metadata } = await dataOf(here, 'POST', path, { name: 'Tank', source: 'http' });
    const key = (metadata as { device_token: string }).device_token;
    const body = Array.from({ length: 2000 }, (_, n) => ({
      timestamp: n,
      text: 'é'.repeat(600 + (n % 7) * 50),
    }));
    expect((await here.request('POST', '/integrations/http', { key, body })).status).toBe(200);
    expect((await run(await planned())).data).toMatchObject({ sent: 2303 });
    expect(largest).toBeGreaterThan(500_000);
    expect(largest).toBeLessThan(1024 * 1024);
  });
});
