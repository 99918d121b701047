import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OutputOf } from '#shared/operations/index.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/functions.md, "Tried on the past". */

let service: RunningService;
let world: World;
let project = '';
const devices: string[] = [];

const at = (minute: number) => `2026-03-05T10:${String(minute).padStart(2, '0')}:00Z`;
const full = (minute: number) => at(minute).replace('Z', '.000000Z');
/** A reading a minute: above 5 from the third to the fourth, and from the seventh on. */
const READINGS = [1, 2, 6, 7, 4, 5, 8, 9];

beforeAll(async () => {
  service = await runService();
  world = await createWorld(service);
  project = `/_local/v1/projects/${world.project_id}`;
  for (const [name, tags] of [
    ['A', ['boiler']],
    ['B', ['boiler', 'old']],
    ['C', ['old']],
  ] as const) {
    const made = await dataOf(service, 'POST', `/v2/projects/${world.project_id}/devices`, {
      name,
      source: 'http',
      tags,
    });
    devices.push(made.id);
    const { device_token: key = '' } = made['metadata'] as { readonly device_token?: string };
    const body = READINGS.map((t, i) => ({ timestamp: at(i), t: name === 'B' ? t - 3 : t }));
    expect((await service.request('POST', '/integrations/http', { key, body })).status).toBe(200);
  }
});
afterAll(() => service.stop());

const ask = (body: object) => service.request('POST', `${project}/rules/try`, { body });

async function tried(body: object): Promise<OutputOf<'rules.try'>> {
  const { envelope } = await ask(body);
  expect(envelope.message).toBe('Rule tried successfully.');
  return envelope.data as unknown as OutputOf<'rules.try'>;
}

const HOT = { when: { key: 't', above: 5 } };
const FIRST = { start: full(2), fired: full(2), end: full(4) };
const SECOND = { start: full(6), fired: full(6), end: null };

test('a rule tells what it would have done on a device, and nothing is changed', async () => {
  const [device_id = ''] = devices;
  const before = await service.request('GET', `${project}/functions`);
  expect(await tried({ condition: HOT, device_id })).toEqual([
    { device_id, count: 2, firings: [FIRST, SECOND], problem: null },
  ]);
  expect(await tried({ condition: { ...HOT, for_s: 60 }, device_id })).toMatchObject([
    {
      count: 2,
      firings: [
        { ...FIRST, fired: full(3) },
        { ...SECOND, fired: full(7) },
      ],
    },
  ]);
  expect((await service.request('GET', `${project}/functions`)).envelope.data).toEqual(before.envelope.data);
});

test('of a span it tells firings that fired up to its end, and had not ended before it', async () => {
  const [device_id = ''] = devices;
  const of = async (span: object) => (await tried({ condition: HOT, device_id, ...span }))[0]?.firings;
  expect(await of({ end: at(5) })).toEqual([FIRST]);
  expect(await of({ start: at(5) })).toEqual([SECOND]);
  expect(await of({ start: at(3), end: at(3) })).toEqual([FIRST]);
  expect(await of({ start: at(0), end: at(1) })).toEqual([]);
});

test('a rule by tag is tried on each device that has it, by the normal ranges of each', async () => {
  const [a = '', b = ''] = devices;
  const condition = { ...HOT, devices: { tag: 'boiler' } };
  const counts = async (body: object) =>
    Object.fromEntries((await tried(body)).map(({ device_id, count }) => [device_id, count]));
  expect(await counts({ condition })).toEqual({ [a]: 2, [b]: 1 });
  expect(await counts({ condition: { ...HOT, devices: { tag: 'of none' } } })).toEqual({});
  const normal = { when: { key: 't', outside: 'normal' }, devices: { tag: 'boiler' } };
  expect(await counts({ condition: normal })).toEqual({ [a]: 0, [b]: 0 });
  await dataOf(service, 'PATCH', `${project}/devices/${b}/key-settings`, { key: 't', low: 0, high: 4.5 });
  expect(await counts({ condition: normal })).toEqual({ [a]: 0, [b]: 2 });
});

test('it reads the corrected view: what is flagged bad raises nothing', async () => {
  const device_id = devices[2] ?? '';
  expect(await tried({ condition: HOT, device_id })).toMatchObject([{ count: 2 }]);
  await dataOf(service, 'POST', `${project}/devices/${device_id}/corrections`, {
    kind: 'quality',
    keys: ['t'],
    from: at(2),
    to: at(3),
    quality: 'fail',
    reason: 'Door open',
  });
  expect(await tried({ condition: HOT, device_id })).toEqual([
    { device_id, count: 1, firings: [SECOND], problem: null },
  ]);
});

test.each([
  [{ when: { key: 't' } }, 'condition.when must have one of '],
  [{}, 'condition.when is required'],
  [{ ...HOT, acts: [{ do: 'shout' }] }, 'condition.acts'],
  [HOT, 'device_id is required, or condition.devices as {"tag": "…"}'],
])('a wrong rule is refused in words: %j', async (condition, words) => {
  const { status, envelope } = await ask({ condition });
  expect(status).toBe(400);
  expect(envelope.message).toContain(words);
});

test('a device of another project is refused', async () => {
  const other = await dataOf(service, 'POST', `/v2/projects/${world.other_project_id}/devices`, {
    name: 'There',
    source: 'http',
  });
  const { status, envelope } = await ask({ condition: HOT, device_id: other.id });
  expect(status).toBe(400);
  expect(envelope.message).toContain('device_id must be the id of a device of this project');
});

test('a key that nobody stored is said, tried and saved alike, and may be watched all the same', async () => {
  const [device_id = ''] = devices;
  const condition = { when: { key: 'tt', above: 5 } };
  const [found] = await tried({ condition, device_id });
  expect(found).toEqual({
    device_id,
    count: 0,
    firings: [],
    problem: 'No record of this device has "tt" so far; it has "t".',
  });
  const rule = { name: 'Misspelt', type: 'rule', condition };
  const own = await dataOf(service, 'POST', `${project}/functions`, { ...rule, device_id });
  expect(own['problem']).toBe('No record of "A" has "tt" so far; it has "t".');
  const tagged = { ...rule, condition: { ...condition, devices: { tag: 'boiler' } } };
  const ofTag = await dataOf(service, 'POST', `${project}/functions`, tagged);
  const words = 'No record of the devices with the tag "boiler" has "tt" so far; they have "t".';
  expect(ofTag['problem']).toBe(words);
  const listed = async () => {
    const { envelope } = await service.request('GET', `${project}/functions`);
    const rules = envelope.data as unknown as readonly { id: string; problem: string | null }[];
    return [own.id, ofTag.id].map((id) => rules.find((each) => each.id === id)?.problem);
  };
  expect(await listed()).toEqual([own['problem'], words]);
  const path = `${project}/functions/${own.id}`;
  const off = await dataOf(service, 'PATCH', path, { enabled: false });
  expect(off['problem']).toBeNull();
  const mended = await dataOf(service, 'PATCH', path, { enabled: true, condition: HOT });
  expect(mended['problem']).toBeNull();
});
