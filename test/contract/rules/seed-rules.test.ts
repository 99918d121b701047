import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* docs/rigs.md, "Seed file": rules in it. */

let folder: string;
let service: RunningService | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-seed-'));
});
afterEach(async () => {
  await service?.stop();
  service = null;
  await rm(folder, { recursive: true, force: true });
});

async function start(text: string, directory?: string): Promise<RunningService> {
  const seedFile = join(folder, 'seed.yaml');
  await writeFile(seedFile, text);
  const settings = { vault: 'file', seedFile, ...(directory !== undefined && { directory }) } as const;
  return (service = await runService(settings, { isAlone: true }));
}

interface Named {
  readonly id: string;
  readonly name: string;
}
const listed = async (asked: RunningService, path: string) =>
  (await dataOf(asked, 'GET', path)) as unknown as readonly Named[];

const RULES = `
projects:
  - name: Boiler room
    devices: [{ name: Boiler, tags: [hot] }]
    rules:
      - { name: Too hot, device: Boiler, condition: { when: { key: temperature, above: 85 }, for_s: 600 } }
      - { name: Any too hot, enabled: false, condition: { when: { key: t, above: 85 }, devices: { tag: hot } } }
`;

test('rules of a seed file are there, of a device by its name and by a tag, and made once', async () => {
  const running = await start(RULES);
  const { notes } = await dataOf(running, 'GET', '/_local/v1/status');
  expect(notes).toContain('Of the seed file came 1 project, 1 device, 2 rules.');
  const [project] = await listed(running, '/v2/projects');
  const path = `/_local/v1/projects/${project?.id}/functions`;
  const [device] = await listed(running, `/v2/projects/${project?.id}/devices`);
  const rules = await listed(running, path);
  expect(rules).toMatchObject([
    {
      name: 'Too hot',
      type: 'rule',
      device_id: device?.id,
      enabled: true,
      condition: { for_s: 600 },
      problem: null,
    },
    {
      name: 'Any too hot',
      type: 'rule',
      device_id: null,
      enabled: false,
      condition: { devices: { tag: 'hot' } },
    },
  ]);
  await dataOf(running, 'PATCH', `${path}/${rules[0]?.id}`, { condition: { when: { key: 'x', below: 1 } } });
  await dataOf(running, 'DELETE', `${path}/${rules[1]?.id}`);
  await running.service.close();
  const again = await start(RULES, running.directory);
  expect(await listed(again, path)).toMatchObject([
    { id: rules[0]?.id, condition: { when: { key: 'x', below: 1 } } },
    { name: 'Any too hot' },
  ]);
});

const WRONG = (
  [
    ['no condition', '{name: R, device: D}', 'condition is required'],
    [
      'a wrong condition',
      '{name: R, device: D, condition: {when: {key: t, above: x}}}',
      'condition.when.above must be a number',
    ],
    [
      'neither device nor tag',
      '{name: R, condition: {when: {key: t, above: 1}}}',
      'device must be the name of a device',
    ],
    [
      'both',
      '{name: R, device: D, condition: {when: {key: t, above: 1}, devices: {tag: t}}}',
      'device must be the name of a device of the project, or condition.devices',
    ],
    [
      'a device of nowhere',
      '{name: R, device: E, condition: {when: {key: t, above: 1}}}',
      'device must be the name of a device of the project, got "E"',
    ],
  ] as const
).map(
  ([what, rule, says]) =>
    [
      `a rule of ${what}`,
      `projects: [{name: P, devices: [{name: D}], rules: [${rule}]}]`,
      `projects.0.rules.0.${says}`,
    ] as const,
);

test.each(WRONG)('%s: the start ends, names it, and makes nothing', async (_what, text, says) => {
  const first = await runService({ vault: 'file' }, { isAlone: true });
  await first.service.close();
  await expect(start(text, first.directory)).rejects.toThrow(says);
  service = await runService({ vault: 'file', directory: first.directory }, { isAlone: true });
  expect(await listed(service, '/v2/projects')).toEqual([]);
});
