import { once } from 'node:events';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { CONTROL_PATHS } from '#core/control/messages.ts';
import { inFolder } from '../helpers/postgres/database-of-tests.ts';
import { longestTurn } from '../helpers/service/longest-turn.ts';
import {
  at as timeAt,
  FROZEN,
  simulated,
  START,
  type Place,
  type Simulated,
} from './simulators/simulated.ts';
import { dataOf } from './world.ts';

/* docs/rigs.md, "The clock": a move that is long, beside others, and given up. */

const DECADE_MS = 10 * 365 * 86_400_000;
const EACH_SECOND = { every_ms: 1000, keys: { temperature: { shape: 'constant', value: 21 } } } as const;

let rig: Simulated;
let place: Place;

afterEach(() => rig.service.stop());

async function open(config: Parameters<typeof simulated>[1] = {}): Promise<void> {
  rig = await simulated(FROZEN, config);
  const { project_id, device_id } = await rig.device();
  place = { project_id, device_id };
  await rig.start({ ...place, ...EACH_SECOND });
}

const seconds = async () => {
  const { now } = await dataOf(rig.service, 'GET', '/_local/v1/clock');
  return (Date.parse(now as string) - START / 1000) / 1000;
};
const stored = async () => (await rig.list())[0]?.stored ?? 0;

/** Begins to move the clock; the asker goes when the signal fires. Resolves with whether there was an answer. */
const overHttp = (signal: AbortSignal): Promise<boolean> =>
  fetch(`${rig.service.service.http_url}/_local/v1/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.service.service.api_key}` },
    body: JSON.stringify({ ms: DECADE_MS }),
    signal,
  }).then(
    () => true,
    () => false,
  );

/** The same as the command does. */
async function overSocket(signal: AbortSignal): Promise<boolean> {
  const asked = request({
    socketPath: join(rig.service.directory, 'control.sock'),
    method: 'POST',
    path: CONTROL_PATHS.call,
    signal,
  });
  asked.end(JSON.stringify({ id: 'clock.advance', input: { ms: DECADE_MS } }));
  return once(asked, 'response').then(
    () => true,
    () => false,
  );
}

test.each([
  ['over HTTP', {}, overHttp],
  ['over HTTP, in memory', { memoryBytes: 256 * 2 ** 20 }, overHttp],
  ...(inFolder ? [['of the command', {}, overSocket] as const] : []),
] as const)(
  'a move by ten years of readings each second gives way to others, and ends once its asker has gone: %s',
  async (_how, config, moving) => {
    await open(config);
    const gone = new AbortController();
    const answered = moving(gone.signal);
    const meanwhile = async () => {
      await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThan(500);
      for (let n = 0; n < 20; n++)
        expect((await rig.service.request('GET', '/v2/projects')).status).toBe(200);
    };
    expect(await longestTurn(meanwhile())).toBeLessThan(250);
    gone.abort();
    expect(await answered).toBe(false);

    // A move waits for the one before: behind it that has ended.
    await rig.advance(0);
    const [at, count] = [Math.floor(await seconds()), await stored()];
    expect(at).toBeGreaterThan(500);
    expect(at).toBeLessThan(DECADE_MS / 1000);
    expect(count).toBe(at);
    await rig.advance(10_000);
    expect([Math.floor(await seconds()), await stored()]).toEqual([at + 10, count + 10]);
    const [last] = (await rig.records(place)).slice(-1);
    expect(last?.timestamp).toBe(timeAt(at + 10));
  },
  120_000,
);

test('a clock that is set ten years ahead answers once its simulator has caught up, or is stopped', async () => {
  await open();
  const now = new Date(START / 1000 + DECADE_MS).toISOString();
  const setting = rig.service.request('PUT', '/_local/v1/clock', { body: { mode: 'frozen', now } });
  const meanwhile = () => expect.poll(stored, { timeout: 60_000 }).toBeGreaterThan(1000);
  expect(await longestTurn(meanwhile())).toBeLessThan(250);
  const [running] = await rig.list();
  const { stored: count } = await rig.stop(running?.id ?? '');
  expect(count).toBeLessThan(DECADE_MS / 1000);
  expect((await setting).envelope.data).toMatchObject({ now: now.replace('Z', '000Z') });
  expect(await rig.list()).toEqual([]);
}, 120_000);

test('a move whose asker goes while another one is under way does not begin', async () => {
  await open();
  const [first, second] = [new AbortController(), new AbortController()];
  const all = [overHttp(first.signal), overHttp(second.signal)];
  await expect.poll(seconds, { timeout: 60_000 }).toBeGreaterThan(50);
  second.abort();
  first.abort();
  expect(await Promise.all(all)).toEqual([false, false]);
  await rig.advance(0);
  const at = Math.floor(await seconds());
  expect(at).toBeLessThan(DECADE_MS / 1000);
  await rig.advance(1000);
  expect([Math.floor(await seconds()), await stored()]).toEqual([at + 1, at + 1]);
}, 120_000);
