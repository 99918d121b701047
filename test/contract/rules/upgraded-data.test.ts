import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { clockOf } from '../../helpers/clock.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { anAlarm } from '../../suites/metadata/rows.ts';

/*
 * test/fixtures/data-4/ was left by the version whose metadata.json had format 4, with a snapshot of all of it: it knew no alarms.
 * answers.json is what it answered; the passphrase and the key were made for it and open nothing else.
 */

const OLD = join(import.meta.dirname, '../../fixtures/data-4');
const old = JSON.parse(readFileSync(join(OLD, 'answers.json'), 'utf8')) as {
  readonly passphrase: string;
  readonly project: string;
  readonly device: string;
  readonly answers: Readonly<Record<string, unknown>>;
};
/** A day later. */
const clock = clockOf(() => Date.UTC(2026, 2, 3, 21) * 1000);
let directory: string;
let running: RunningService | null = null;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-upgrade-'));
  await cp(join(OLD, 'folder'), directory, { recursive: true });
});
afterEach(async () => {
  await running?.service.close();
  running = null;
  await rm(directory, { recursive: true });
});

async function start(): Promise<RunningService> {
  await running?.service.close();
  const { passphrase } = old;
  return (running = await runService({ directory, vault: 'file', passphrase }, { clock }));
}

async function answersOf(service: RunningService): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const path of Object.keys(old.answers)) {
    const { envelope } = await service.request('GET', path);
    answers[path] = JSON.parse(JSON.stringify(envelope.data).replaceAll(service.service.base_url, 'BASE'));
  }
  return answers;
}

// Of files.
test.runIf(inFolder)(
  'a data directory of format 4 opens with all it holds, takes rules, and its snapshots come back',
  async () => {
    let service = await start();
    const upgraded = service.logged.filter((line) => line.includes('metadata.json had format 4'));
    expect(upgraded).toEqual([expect.stringMatching(/is brought to format 5/)]);
    expect(await answersOf(service)).toMatchObject(old.answers);
    const project = `/_local/v1/projects/${old.project}`;
    const ask = async (method: string, path: string, body?: object) =>
      (await service.request(method, path, { body })).envelope.data;
    expect(await ask('GET', `${project}/alarms`)).toEqual([]);
    const of = { project_id: old.project, device_id: old.device, function_id: 'gone' };
    await service.metadata.change((tables) => tables.insert('alarms', anAlarm('a', of)));
    const condition = { when: { key: 'temperature', above: 1000 }, devices: { tag: 'boiler' } };
    await ask('POST', `${project}/functions`, { name: 'Too hot', type: 'rule', condition });
    const rules = async () =>
      ((await ask('GET', `${project}/functions`)) as unknown as { type: string }[]).filter(
        ({ type }) => type === 'rule',
      );
    service = await start();
    expect(await ask('GET', `${project}/alarms`)).toMatchObject([
      { id: 'a', rule: 'Too hot', state: 'ended' },
    ]);
    expect(await rules()).toMatchObject([{ device_id: null, condition, problem: null }]);
    expect(service.logged).toEqual([]);
    await ask('POST', '/_local/v1/snapshots/then/restore', {});
    expect(await ask('GET', `${project}/alarms`)).toEqual([]);
    expect(await rules()).toEqual([]);
    expect(await answersOf(service)).toMatchObject(old.answers);
  },
);
