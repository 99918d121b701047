import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { startServiceProcess } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, type Asking, type World } from '../world.ts';
import { clearFaults, countsOf, faultsNow, outcomeOf, seenBy, setFaults, type Given } from './faulty.ts';

/* docs/rigs.md, "Faults": which requests a rule is about, whose rules they are, and what is no rule. */

let service: RunningService;
let world: World;

beforeAll(async () => {
  service = await runService({}, { isAlone: true });
  world = await createWorld(service);
});
afterAll(() => service.stop());
afterEach(async () => {
  await clearFaults(service);
});

const store = (key = world.device_token) =>
  service.request('POST', '/integrations/http', { key, body: { n: 1 } });
const ask = (path = '/v2/projects', key = service.service.api_key) => service.request('GET', path, { key });
const FAIL = { status: 503 };
/** A service as it is asked with another key. */
const as = (key: string): Asking => ({
  request: (method, path, options = {}) => service.request(method, path, { ...options, key }),
});

test('nothing is on at first, and without rules nothing is again', async () => {
  expect(await faultsNow(service)).toEqual({ seed: null, rules: [] });
  await setFaults(service, [{ do: FAIL }], { seed: 3 });
  expect(await setFaults(service, [])).toEqual({ seed: null, rules: [] });
  expect((await ask()).status).toBe(200);
});

describe('match', () => {
  test.each<[string, () => Given['match'], boolean, boolean]>([
    ['nothing', () => ({}), true, true],
    ['absent', () => undefined, true, true],
    ['the door', () => ({ door: 'http' }), true, true],
    ['another door', () => ({ door: 'https' }), false, false],
    ['an operation', () => ({ operation: 'projects.list' }), true, false],
    ['ingest', () => ({ operation: 'ingest' }), false, true],
    ['a method', () => ({ method: 'GET' }), true, false],
    ['a path', () => ({ path: '/integrations' }), false, true],
    ['the beginning of a path', () => ({ path: '/v2/pro' }), true, false],
    ['another key', () => ({ key_id: world.key_id }), false, false],
    ['a device', () => ({ device_id: world.device_id }), false, true],
    ['another device', () => ({ device_id: world.project_id }), false, false],
    ['all of it', () => ({ operation: 'ingest', method: 'POST', device_id: world.device_id }), false, true],
    ['all of it but one', () => ({ operation: 'ingest', method: 'PUT' }), false, false],
  ])('by %s', async (_what, match, isList, isIngest) => {
    const given = match();
    await setFaults(service, [{ ...(given && { match: given }), do: FAIL }]);
    expect([(await ask()).status, (await store()).status]).toEqual([
      isList ? 503 : 200,
      isIngest ? 503 : 200,
    ]);
    const count = Number(isList) + Number(isIngest);
    expect(countsOf(await faultsNow(service))).toEqual([[count, count]]);
  });

  test('by the id of a key', async () => {
    const made = await dataOf(service, 'POST', '/_local/v1/keys', { name: 'one', permissions: ['read'] });
    await setFaults(service, [{ match: { key_id: made.id }, do: FAIL }]);
    expect((await ask()).status).toBe(200);
    expect((await ask('/v2/projects', made['api_key'] as string)).status).toBe(503);
  });

  test.each<[what: string, match: Record<string, number>, acts: string]>([
    ['what comes after the first two', { after: 2 }, 'oo......'],
    ['the first two', { first: 2 }, '..oooooo'],
    ['each third', { every: 3 }, 'oo.oo.oo'],
    ['three after the first', { after: 1, first: 3 }, 'o...oooo'],
    ['each second of four after two', { after: 2, first: 4, every: 2 }, 'ooo.o.oo'],
    ['none, by a share of 0', { share: 0 }, 'oooooooo'],
    ['all, by a share of 1', { share: 1 }, '........'],
    ['none, by a first of 0', { first: 0 }, 'oooooooo'],
  ])('acts on %s', async (_what, match, expected) => {
    await setFaults(service, [{ match, do: FAIL }]);
    let got = '';
    for (let n = 0; n < expected.length; n++) got += (await ask()).status === 200 ? 'o' : '.';
    expect(got).toBe(expected);
    const done = expected.split('.').length - 1;
    expect(countsOf(await faultsNow(service))).toEqual([[expected.length, done]]);
  });

  test('a share is drawn by the seed: the same again, and otherwise by another one', async () => {
    const drawn = async (seed: number) => {
      await setFaults(service, [{ match: { share: 0.5 }, do: FAIL }], { seed });
      let got = '';
      for (let n = 0; n < 40; n++) got += (await ask()).status === 200 ? 'o' : '.';
      return got;
    };
    const first = await drawn(7);
    expect(await drawn(7)).toBe(first);
    expect(await drawn(8)).not.toBe(first);
    expect(first).toContain('o');
    expect(first).toContain('.');
    expect((await faultsNow(service)).seed).toBe(8);
  });
});

test('rules are asked in their order, and the first that acts is the only one', async () => {
  await setFaults(service, [
    { name: 'every other', match: { every: 2 }, do: { status: 500 } },
    { match: { operation: 'projects.list' }, do: { status: 503 } },
    { do: { status: 429 } },
  ]);
  const statuses: number[] = [];
  for (const path of ['/v2/projects', '/v2/projects', '/v2/other', '/v2/other'])
    statuses.push((await ask(path)).status);
  expect(statuses).toEqual([503, 500, 429, 500]);
  const now = await faultsNow(service);
  expect(countsOf(now)).toEqual([
    [4, 2],
    [1, 1],
    [1, 1],
  ]);
  expect(now.rules.map(({ name }) => name)).toEqual(['every other', 'rule 2', 'rule 3']);
  expect(now.rules[0]).toMatchObject({ match: { every: 2 }, do: { status: 500 } });
});

test('a rule is not asked of what nothing of it can be done to', async () => {
  await setFaults(service, [{ match: { first: 1 }, do: { mqtt: 'no-ack' } }]);
  expect((await store()).status).toBe(200);
  expect(countsOf(await faultsNow(service))).toEqual([[0, 0]]);
});

describe('whose they are', () => {
  test('requests of nobody meet those of the default account', async () => {
    await setFaults(service, [{ do: FAIL }]);
    expect((await ask('/v2/projects', 'unknown')).status).toBe(503);
    expect((await store('unknown')).status).toBe(503);
    await setFaults(service, [{ match: { device_id: world.device_id }, do: FAIL }]);
    expect((await store('unknown')).status).toBe(401);
  });

  test('nothing crosses from one account to another', async () => {
    const other = as(world.strangers_key);
    await setFaults(other, [{ name: 'theirs', do: { status: 500 } }], { seed: 4 });
    expect((await ask()).status).toBe(200);
    expect((await ask('/v2/projects', 'unknown')).status).toBe(401);
    expect((await ask('/v2/projects', world.strangers_key)).status).toBe(500);
    expect(await faultsNow(service)).toEqual({ seed: null, rules: [] });
    await setFaults(service, [{ name: 'ours', do: FAIL }]);
    const asked = Array.from({ length: 20 }, (_, n) =>
      outcomeOf(ask('/v2/projects', n % 2 === 0 ? service.service.api_key : world.strangers_key)),
    );
    expect(await Promise.all(asked)).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 503 : 500)));
    expect(countsOf(await faultsNow(service))).toEqual([[10, 10]]);
    expect(countsOf(await faultsNow(other))).toEqual([[11, 11]]);
    await clearFaults(other);
    expect(countsOf(await faultsNow(service))).toEqual([[10, 10]]);
  });

  test('an administrator names any account, others their own alone', async () => {
    const account_id = world.account_id;
    await setFaults(service, [{ name: 'named', do: FAIL }], { account_id });
    const named = await dataOf(service, 'GET', `/_local/v1/faults?account_id=${account_id}`);
    expect(named).toMatchObject({ rules: [{ name: 'named' }] });
    expect(await faultsNow(service)).toEqual({ seed: null, rules: [] });
    const strangers = as(world.strangers_key);
    const refused = await strangers.request('PUT', '/_local/v1/faults', { body: { account_id, rules: [] } });
    expect([refused.status, refused.envelope.message]).toEqual([
      403,
      expect.stringMatching(/^account_id must be/),
    ]);
    const unknown = { account_id: world.project_id, rules: [] };
    expect((await service.request('PUT', '/_local/v1/faults', { body: unknown })).status).toBe(404);
    const ended = await dataOf(service, 'DELETE', `/_local/v1/faults?account_id=${account_id}`);
    expect(ended).toMatchObject({ rules: [{ name: 'named', seen: 0 }] });
  });

  test('they end with a reset, and with the account', async () => {
    const made = await dataOf(service, 'POST', '/_local/v1/accounts', { name: 'Suite' });
    const suite = as(made['api_key'] as string);
    await setFaults(suite, [{ match: { operation: 'projects.list' }, do: FAIL }]);
    await dataOf(suite, 'POST', '/_local/v1/reset', { to: 'empty' });
    expect(await faultsNow(suite)).toEqual({ seed: null, rules: [] });
    await setFaults(suite, [{ match: { operation: 'projects.list' }, do: FAIL }]);
    const notes = async () =>
      ((await dataOf(service, 'GET', '/_local/v1/status'))['notes'] as string[]).join('\n');
    expect(await notes()).toContain(`Faults are switched on for account ${made.id}: "rule 1".`);
    await dataOf(service, 'DELETE', `/_local/v1/accounts/${made.id}`);
    expect(await notes()).not.toContain('Faults are switched on');
  });
});

test('status, log and windows say that they are on, and which', async () => {
  const { bridge } = openWindow(service.service);
  let heard = 0;
  bridge.subscribe('faults.changed', () => heard++);
  await setFaults(service, [{ name: 'slow "pages"\n', match: { path: '/v2' }, do: { delay_ms: 1 } }]);
  const { notes } = (await dataOf(service, 'GET', '/_local/v1/status')) as unknown as { notes: string[] };
  expect(notes.join('\n')).toContain(String.raw`Faults are switched on: "slow \"pages\"\n".`);
  await ask();
  const log = service.logged.join('');
  expect(log).toContain(String.raw`were switched on: "slow \"pages\"\n".`);
  expect(log).toContain(String.raw`The fault "slow \"pages\"\n" acts on projects.list over http.`);
  expect(await bridge.call('faults.get', {})).toMatchObject({ data: { rules: [{ seen: 1, done: 1 }] } });
  await clearFaults(service);
  await expect.poll(() => heard).toBe(2);
  expect(service.logged.at(-1)).toMatch(/Faults of account .* were switched off\./);
});

test('requests show which fault they met, and others none', async () => {
  await setFaults(service, [{ name: 'once', match: { operation: 'ingest', first: 1 }, do: FAIL }]);
  await store();
  await store();
  const [second, first] = (await seenBy(service)).filter(({ operation }) => operation === 'ingest');
  expect([first?.fault, second?.fault]).toEqual(['once', null]);
  const verify = (fault: string) =>
    dataOf(service, 'POST', '/_local/v1/requests/verify', { match: { fault }, count: 1 });
  expect(await verify('once')).toEqual({ matched: true, count: 1 });
  const { nearest } = (await verify('never')) as unknown as { nearest: { differs: string[] }[] };
  expect(nearest[0]?.differs[0]).toMatch(/^fault: (?:null|"once") is not "never"$/);
});

test('a strict service knows none of it', async () => {
  const strict = await startServiceProcess({ args: ['--strict'] });
  const { status } = await strict.call('PUT', '/_local/v1/faults', { rules: [] });
  expect(status).toBe(404);
  await strict.stop();
});
