import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Pushed, PushPlan } from '#shared/operations/records/push.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf, RECORDS } from '../world.ts';

/* What happens on either side between the plan of a push and its run (docs/push.md). */

let here: RunningService;
let lab: RunningService;
let project_id: string;
let ids: readonly [string, string];

beforeAll(async () => {
  here = await runService();
  lab = await runService();
});
afterAll(async () => {
  await here.stop();
  await lab.stop();
});

/** Two devices with records here, of which the first one is in the lab, too, and has more to send. */
beforeEach(async () => {
  project_id = (await dataOf(here, 'POST', '/_local/v1/projects', { name: 'Field' })).id;
  const first = await addDevice('Pump');
  await run(await planned());
  await store(first.token, { temperature: 1 });
  const second = await addDevice('Valve');
  ids = [first.id, second.id];
});

async function addDevice(name: string) {
  const made = await dataOf(here, 'POST', `/v2/projects/${project_id}/devices`, { name, source: 'http' });
  const token = (made['metadata'] as { device_token: string }).device_token;
  await store(token, RECORDS);
  return { id: made.id, token };
}

async function store(key: string, body: unknown): Promise<void> {
  const { status, text } = await here.request('POST', '/integrations/http', { key, body });
  if (status !== 200) throw new Error(text);
}

const reach = () => ({ to: lab.service.http_url ?? '', key: lab.service.api_key });

async function planned(choices: Record<string, unknown> = {}): Promise<PushPlan> {
  const answer = await here.bridge.call('push.plan', { ...reach(), project_ids: [project_id], ...choices });
  expect(answer.message).toBe('Push planned successfully.');
  return answer.data as PushPlan;
}

async function run(plan: PushPlan): Promise<Pushed> {
  const answer = await here.bridge.call('push.run', { ...reach(), plan });
  expect(answer.message).toBe('Pushed.');
  return answer.data as Pushed;
}

const local = () => `/_local/v1/projects/${project_id}/devices/${ids[0]}`;
const nameInLab = async () => (await dataOf(lab, 'GET', `/v2/projects/${project_id}/devices/${ids[0]}`)).name;

describe('between a plan and its run', () => {
  test('a field that is changed here goes with the next push', async () => {
    const plan = await planned();
    await dataOf(here, 'PATCH', local(), { name: 'Pump 2' });
    expect(await run(plan)).toMatchObject({ sent: 4 });
    expect(await nameInLab()).toBe('Pump');
    const next = await planned();
    expect(next.devices[0]?.fields).toMatchObject([{ field: 'name', changed: 'here', stays: 'here' }]);
    await run(next);
    expect(await nameInLab()).toBe('Pump 2');
  });

  test('a field that is changed in the lab, too, stays there, and the next plan says so', async () => {
    await dataOf(here, 'PATCH', local(), { name: 'Pump 2' });
    const plan = await planned();
    await dataOf(lab, 'PATCH', local(), { name: 'Main pump' });
    expect((await run(plan)).devices[0]).toMatchObject({
      sent: 1,
      problem: 'It has changed in the lab since the plan was made. Plan again.',
    });
    expect(await nameInLab()).toBe('Main pump');
    expect((await planned()).devices[0]?.fields).toMatchObject([{ changed: 'both', stays: 'there' }]);
  });

  test('a device that is deleted in the lab is left alone, with the reason, and others go', async () => {
    const plan = await planned();
    await dataOf(lab, 'DELETE', local());
    const { devices } = await run(plan);
    expect(devices).toMatchObject([
      { sent: 0, problem: expect.stringContaining('not found') },
      { sent: 3, problem: null },
    ]);
    expect((await planned()).devices[0]?.problem).toContain('deleted in the lab on');
  });

  test('a device that is moved in the lab is found again by the next plan', async () => {
    const plan = await planned();
    const other = await dataOf(lab, 'POST', '/_local/v1/projects', { name: 'Roof' });
    await dataOf(lab, 'POST', `${local()}/move`, { to: other.id });
    expect((await run(plan)).devices).toMatchObject([{ sent: 0 }, { sent: 3, problem: null }]);
    const next = await planned();
    expect(next.devices[0]).toMatchObject({ into_project: other.id, send: 1 });
    expect(await run(next)).toMatchObject({ sent: 1, devices: [{ problem: null }, { problem: null }] });
  });

  test('what is purged in the lab stays out', async () => {
    const plan = await planned();
    await dataOf(lab, 'DELETE', `/v2/projects/${project_id}/devices/${ids[0]}/data`);
    expect((await run(plan)).devices[0]).toMatchObject({ sent: 0, removed: 1 });
    expect((await planned()).devices[0]).toMatchObject({ send: 0, removed: 4 });
  });

  test('a key that is revoked ends it, with the reason', async () => {
    const made = await dataOf(lab, 'POST', '/_local/v1/keys', {
      name: 'push',
      permissions: ['admin', 'read', 'write'],
    });
    const plan = await planned({ key: String(made['api_key']) });
    await dataOf(lab, 'DELETE', `/_local/v1/keys/${made.id}`);
    const answer = await here.bridge.call('push.run', { ...reach(), key: String(made['api_key']), plan });
    expect([answer.status, answer.message]).toEqual([
      403,
      expect.stringContaining('does not take this API key'),
    ]);
  });
});

describe('a plan', () => {
  test('counts times that cannot be right, and they go as they are', async () => {
    const odd = await addDevice('Clock');
    const times = ['1970-01-01T00:00:07.000000Z', '2036-02-07T06:28:16.000000Z'];
    await store(
      odd.token,
      times.map((timestamp) => ({ timestamp, n: 1 })),
    );
    const plan = await planned();
    expect(plan.devices[2]).toMatchObject({ send: 5, odd: 2, start: times[0], end: times[1] });
    await run(plan);
    expect((await planned()).devices[2]).toMatchObject({ state: 'same', send: 0, present: 5 });
  });

  test('refuses to send something elsewhere that is not here', async () => {
    const wrong = { ...reach(), project_ids: [project_id], into: { nobody: ids[0] } };
    const answer = await here.bridge.call('push.plan', wrong);
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining('got "nobody"')]);
  });

  test('says of a lab without these operations that it takes no push', async () => {
    const strict = await runService({ strict: true });
    const to = strict.service.http_url ?? '';
    const answer = await here.bridge.call('push.plan', { to, key: strict.service.api_key });
    await strict.stop();
    expect([answer.status, answer.message]).toEqual([400, expect.stringContaining('is an earlier one')]);
  });
});
