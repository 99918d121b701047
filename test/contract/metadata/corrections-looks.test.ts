import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/local-api.md, "Before a correction is made": previews and suspects. Nothing is kept by either. */

const at = (minute: number) =>
  new Date(Date.UTC(2026, 5, 1) + minute * 60_000).toISOString().replace('Z', '000Z');

let service: RunningService;
let world: World;
let path: string;

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  const local = `/_local/v1/projects/${world.project_id}/devices/${world.device_id}`;
  path = `${local}/corrections`;
  await service.request('DELETE', `${local}/records`);
  // A spike at 20, stuck from 40 to 49, and an hour without anything from 60 on.
  const value = (i: number) => (i === 20 ? 90 : i >= 40 && i < 50 ? 4.5 : 5 + (i % 3));
  const body = Array.from({ length: 80 }, (_, i) => ({ timestamp: at(i < 60 ? i : i + 60), t: value(i) }));
  await service.request('POST', '/integrations/http', { key: world.device_token, body });
});
afterAll(() => service.stop());

const preview = (body: object) => dataOf(service, 'POST', `${path}/preview`, body);
const find = (body: object) => dataOf(service, 'POST', `${path}/find`, body);
/** Beside the one of the world. */
const none = async () => expect(await dataOf(service, 'GET', path)).toHaveLength(1);

describe('a preview', () => {
  test('says of how many records a correction speaks, and what their figures would be', async () => {
    const flag = { kind: 'quality', keys: ['t'], from: at(20), to: at(20), quality: 'fail', reason: 'spike' };
    expect(await preview(flag)).toMatchObject({
      records: 1,
      first: at(20),
      last: at(20),
      statistics: [{ key: 't', before: { count: 80, max: 90 }, after: { count: 79, max: 7 } }],
    });
    const calibration = { kind: 'calibration', key: 't', points: { gain: 1, offset: 100 }, from: at(60) };
    expect(await preview(calibration)).toMatchObject({
      records: 20,
      first: at(120),
      statistics: [{ before: { last: 6 }, after: { last: 106, min: 4.5 } }],
    });
    expect(await preview({ ...calibration, start: at(120), end: at(122) })).toMatchObject({
      statistics: [{ before: { count: 3, max: 7 }, after: { count: 3, min: 105 } }],
    });
    await none();
  });

  test('refuses what could not be made, in the same words', async () => {
    const wrong = {
      kind: 'calibration',
      key: 't',
      points: [
        [1, 1],
        [1, 2],
      ],
    };
    const [refused, unmade] = await Promise.all(
      [`${path}/preview`, path].map((each) => service.request('POST', each, { body: wrong })),
    );
    expect([refused?.status, refused?.envelope.message]).toEqual([400, unmade?.envelope.message]);
    await none();
  });
});

describe('suspects', () => {
  test('are found by each rule, in spans that can be flagged', async () => {
    const found = await find({
      key: 't',
      spike: { times_sd: 3 },
      stuck: { seconds: 500 },
      outside: [null, 50],
      gap: { seconds: 600 },
    });
    expect(found).toEqual({
      spans: [
        { rule: 'spike', from: at(20), to: at(20), records: 1 },
        { rule: 'stuck', from: at(40), to: at(49), records: 10 },
        { rule: 'outside', from: at(20), to: at(20), records: 1 },
        { rule: 'gap', from: at(59), to: at(120), records: 0 },
      ],
      found: { spike: 1, stuck: 1, outside: 1, gap: 1 },
    });
    await none();
  });

  test('are looked for in a span, and by what was asked alone', async () => {
    expect(await find({ key: 't', outside: [6, null], start: at(0), end: at(2) })).toEqual({
      spans: [{ rule: 'outside', from: at(0), to: at(0), records: 1 }],
      found: { spike: null, stuck: null, outside: 1, gap: null },
    });
  });

  test('are refused without a rule, and with a wrong one', async () => {
    const refused = async (body: object) =>
      (await service.request('POST', `${path}/find`, { body })).envelope.message;
    expect(await refused({ key: 't' })).toMatch(/^key must come with spike, stuck, outside or gap/);
    expect(await refused({ key: 't', outside: [5, 1] })).toContain(
      'must be [low, high], null where that end is open',
    );
    expect(await refused({ key: 't', spike: { times_sd: 0 } })).toContain('must be a number above 0');
    expect(await refused({ key: 't', gap: true })).toMatch(/^gap must be an object \{"seconds"\}, got true/);
    expect(await refused({ key: 't', stuck: 5 })).toMatch(/^stuck must be an object \{"seconds"\}, got 5/);
    expect(await refused({ key: 't', spike: 3 })).toMatch(/^spike must be an object \{"times_sd"\}, got 3/);
    expect(await refused({ key: 't', outside: 3 })).toContain('must be [low, high], null where that end is');
  });
});
