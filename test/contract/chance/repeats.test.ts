import { describe, expect, test } from 'vitest';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { withSeed } from '../../helpers/chance.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { someRuns } from '../../helpers/some-runs.ts';
import { connectOf, mqttWorld, rawClient } from '../mqtt/world.ts';
import { dataOf } from '../world.ts';
import { answerOf, Story, type Answer } from './story.ts';

/* docs/rigs.md, "Chance": the same requests have the same answers, byte for byte. */

/** Answers say where the service listens, which is another port each time. */
const RIG = {
  vault: 'memory',
  publicUrl: 'https://rig.example.org',
  clock: { mode: 'frozen', now: Date.UTC(2026, 2, 3) * 1000 },
} as const;
const DAY_MS = 86_400_000;
const STEPS = 60;
/** The rows of a backup; its records are in blocks, as the machine had time to pack them, and its installation is told apart from others. */
const ROWS = /\{"table":[^\0]+/;

async function during<T>(seed: number, work: (service: RunningService) => Promise<T>): Promise<T> {
  const service = await runService({ ...RIG, seed });
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

/** The first answer that differs, for people who read of it; all that is compared is the lists themselves. */
function expectSame(first: readonly Answer[], second: readonly Answer[]): void {
  const at = first.findIndex((answer, n) => JSON.stringify(answer) !== JSON.stringify(second[n]));
  if (at >= 0) expect(second[at]).toEqual(first[at]);
  expect(second).toHaveLength(first.length);
}

/** A story of the administrator: time goes on, and at the end there is a backup. */
async function told(service: RunningService, seed: number): Promise<readonly Answer[]> {
  const story = new Story(service, service.service.api_key, seed);
  await story.run(STEPS);
  await story.ask('POST', '/_local/v1/clock/advance', { body: { ms: 31 * DAY_MS } });
  for (const name of ['Suite', 'Suite', 'Other'])
    await story.ask('POST', '/_local/v1/accounts', { body: { name } });
  await story.ask('GET', '/_local/v1/accounts');
  await story.run(STEPS);
  await story.ask('GET', '/_local/v1/backup');
  const backup = story.answers.at(-1)!;
  const [body = ''] = ROWS.exec(backup.body) ?? [];
  expect(body.split('\n').length).toBeGreaterThan(10);
  return [...story.answers.slice(0, -1), { ...backup, body }];
}

test('what nothing takes on the disk yet is compared as what some bytes take there', () => {
  const answered = (bytes: number) => {
    const text = JSON.stringify({ success: true, data: { records: 0, bytes } });
    const headers = new Headers({ 'content-length': String(text.length), etag: '"a"' });
    return answerOf({ method: 'GET', path: '/summary', sent: null }, { status: 200, headers }, text);
  };
  expect(answered(0)).toEqual(answered(187));
  expect(answered(0).headers).toEqual(['etag: "a"']);
});

describe.runIf(inFolder)('with one seed and a clock that stands', () => {
  test('two services answer the same requests with the same bytes', async () => {
    for (let run = 0; run < someRuns(16); run++)
      await withSeed(async (seed) => {
        const answers = await during(seed, (service) => told(service, seed));
        expectSame(answers, await during(seed, (service) => told(service, seed)));
        expect(answers.some(({ body }) => body.includes('device_token'))).toBe(true);
        expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      });
  });

  test('two suites in accounts of their own do not disturb each other, whichever comes first', async () => {
    for (let run = 0; run < someRuns(16); run++)
      await withSeed(async (seed) => {
        const suite = async (service: RunningService, name: string, of: number) => {
          const account = await dataOf(service, 'POST', '/_local/v1/accounts', { name });
          const story = new Story(service, account['api_key'] as string, of);
          return { account, answers: await story.run(STEPS) };
        };
        const together = await during(seed, (service) =>
          Promise.all([suite(service, 'Suite A', seed), suite(service, 'Suite B', seed + 1)]),
        );
        const apart = await during(seed, async (service) => {
          const b = await suite(service, 'Suite B', seed + 1);
          return [await suite(service, 'Suite A', seed), b] as const;
        });
        for (const [n, { account, answers }] of apart.entries()) {
          expect(account).toEqual(together[n]!.account);
          expectSame(together[n]!.answers, answers);
        }
        expect(apart[0].account['api_key']).not.toBe(apart[1].account['api_key']);
      });
  });

  test('a client of MQTT that names none gets the same id', async () => {
    const assigned = async () => {
      const world = await mqttWorld({ ...RIG, seed: 11 }, { isAlone: true });
      try {
        const devices = [await world.makeDevice(), await world.makeDevice()];
        const ids: unknown[] = [];
        for (const device of devices) {
          const client = await rawClient(world.port);
          client.send(connectOf(device, 5, { clientId: '' }));
          const { properties } = await client.nextOf('connack');
          ids.push(properties?.assignedClientIdentifier);
          client.end();
        }
        return ids;
      } finally {
        await world.stop();
      }
    };
    const ids = await assigned();
    expect(new Set(ids).size).toBe(2);
    expect(await assigned()).toEqual(ids);
  });
});
