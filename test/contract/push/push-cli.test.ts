import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addService, profileFor } from '../../helpers/service/distant.ts';
import { openWindow, runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { createWorld, dataOf, type World } from '../world.ts';

/* docs/running.md, "Command line": `fieldbench push` plans, prints the plan and sends it. */

let here: RunningService;
let lab: RunningService;
let world: World;
let folder: string;

beforeAll(async () => {
  here = await runService();
  lab = await runService({ tls: true });
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-push-cli-'));
});
afterAll(async () => {
  await here.stop();
  await lab.stop();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  world = await createWorld(here);
});

const push = (
  flags: readonly string[],
  env: Record<string, string> = { FIELDBENCH_PUSH_KEY: lab.service.api_key },
) => runCli(['push', '--data', here.directory, ...flags], { FIELDBENCH_PUSH_KEY: '', ...env });
const reach = () => [
  '--to',
  lab.service.base_url,
  '--ca',
  lab.service.ca_file ?? '',
  '--project',
  world.project_id,
];
/** What takes a second says how far it is. */
const besideProgress = (stderr: string) => stderr.replaceAll(/^\d+(?: of \d+)? \w+\n/gm, '');
const countInLab = async () => {
  const path = `/v2/projects/${world.project_id}/devices/${world.device_id}/data?page=1&limit=1&range=all`;
  return (await lab.request('GET', path)).headers.get('x-total-count');
};

test('prints the plan, sends it, and finds nothing to do the second time', async () => {
  const { code, stdout, stderr } = await push(reach());
  expect([code, besideProgress(stderr)]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^Push to https:.*:\n {2}Boiler room\s+new, 1 function to send, 1 widget to send\n {4}ESP32\s+new: 3 to send, 1 version of corrections to send, 1 function to send, 1 note to send, 1 alarm to send\nTo send: 3 records, about \d+ bytes, about [\d.]+ s\.\nSent: 3 records, [\d,]+ bytes, in [\d.]+ s\.\n$/,
  );
  expect(await countInLab()).toBe('3');
  expect((await push(reach())).stdout).toMatch(/ESP32 +same: 0 to send, 3 there\nNo records to send\./);
});

test('a name cannot give orders to the terminal', async () => {
  const path = `/v2/projects/${world.project_id}/devices`;
  await dataOf(here, 'POST', path, { name: 'red \u001b[31m\u0007 pump', source: 'http' });
  const { stdout } = await push([...reach(), '--dry-run']);
  expect(stdout).toContain('red �[31m� pump');
});

test('says what was removed in the lab, and when', async () => {
  await push(reach());
  await lab.request('DELETE', `/v2/projects/${world.project_id}/devices/${world.device_id}/data`);
  expect((await push([...reach(), '--dry-run'])).stdout).toMatch(
    /ESP32 +same: 0 to send, 3 removed in the lab, the last on \d{4}-\d\d-\d\dT/,
  );
});

test('a dry run changes nothing; its plan in a file is then sent as it is', async () => {
  const plan = join(folder, 'plan.json');
  const dry = await push([...reach(), '--dry-run', '--plan', plan]);
  expect([dry.code, besideProgress(dry.stderr)]).toEqual([0, '']);
  expect(await countInLab()).toBeNull();
  await here.request('POST', '/integrations/http', { key: world.device_token, body: { temperature: 1 } });
  const { code, stdout } = await push(['--plan', plan, '--ca', lab.service.ca_file ?? '', '--json']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    plan: JSON.parse(await readFile(plan, 'utf8')),
    pushed: expect.objectContaining({ sent: 3 }),
  });
  expect(await countInLab()).toBe('3');
});

test('a key is read from a file, too, and a device may go into another', async () => {
  await push(reach());
  const into = await dataOf(lab, 'POST', `/v2/projects/${world.project_id}/devices`, {
    name: 'Other',
    source: 'http',
  });
  const file = join(folder, 'key');
  await writeFile(file, `${lab.service.api_key}\n`);
  const flags = [...reach(), '--key-file', file, '--into', `${world.device_id}=${into.id}`];
  const { code, stdout } = await push(flags, {});
  expect([code, stdout]).toEqual([0, expect.stringContaining('Sent: 3 records')]);
});

test('projects and devices here are named', async () => {
  const { name } = await dataOf(here, 'PATCH', `/_local/v1/projects/${world.project_id}`, {
    name: `Plant = ${world.project_id.slice(0, 8)}`,
  });
  const project = String(name);
  const named = ['--to', lab.service.base_url, '--ca', lab.service.ca_file ?? '', '--project', project];
  const dry = await push([
    ...named,
    '--into',
    `${project.toLowerCase()}/ESP32=${world.note_id}`,
    '--dry-run',
  ]);
  expect(dry.code).toBe(1);
  expect(dry.stdout).toMatch(/ESP32 +refused: The lab has no device with the id/);
  const sent = await push(named);
  expect([sent.code, sent.stdout]).toEqual([0, expect.stringContaining('Sent: 3 records')]);
  const none = await push([...named, '--into', `Pump=${world.note_id}`]);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining(
      '--into must be the name or id of a project or device of the service, got "Pump"',
    ),
  ]);
});

test('a lab that the app knows is named', async () => {
  const window = openWindow(here.service);
  const certificate = await readFile(lab.service.ca_file ?? '', 'utf8');
  const service_id = await addService(
    window,
    await profileFor(lab, { name: 'The lab', secure: true, certificate }),
  );
  const named = ['--service', 'The lab', '--project', world.project_id];
  const { code, stdout } = await push(named, {});
  expect([code, stdout]).toEqual([0, expect.stringContaining('Sent: 3 records')]);
  expect(await countInLab()).toBe('3');
  const unknown = await push(['--service', 'Nobody'], {});
  expect([unknown.code, unknown.stderr]).toEqual([
    2,
    expect.stringMatching(/^fieldbench: --service .* got "Nobody"/),
  ]);
  await window.bridge.call('other-services.remove', { service_id });
  window.close();
});

test.each([
  [[], {}, 2, '--to or --service is needed'],
  [['--service', 'Lab', '--ca', 'ca.pem'], {}, 2, '--ca is not for --service, which has its own'],
  [['--to', 'https://localhost:1'], { FIELDBENCH_PUSH_KEY: '' }, 2, 'FIELDBENCH_PUSH_KEY'],
  [['--to', 'https://localhost:1', '--into', 'a'], {}, 2, '--into takes P=ID'],
  [['--to', 'https://localhost:1', '--ca', '/none'], {}, 2, '--ca must name a file that is there'],
  [['--plan', '/none'], {}, 2, '--plan must name a file that is there'],
  [['--to', 'https://localhost:1', '--removed', 'all'], {}, 2, '--removed must be "leave-out" or "send"'],
  [['--to', 'https://localhost:1', '--prefer', 'both'], {}, 2, '--prefer must be'],
  [['--to', 'https://localhost:1'], {}, 4, 'cannot be reached'],
] as const)('%j ends as it should', async (flags, env, code, message) => {
  const ended = await push(flags, { FIELDBENCH_PUSH_KEY: 'fb_some', ...env });
  expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(message)]);
});

test('a key that the lab does not take, and a lab that nobody trusts', async () => {
  const wrong = await push(reach(), { FIELDBENCH_PUSH_KEY: 'fb_wrong' });
  expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('does not take this API key')]);
  const distrusted = await push(['--to', lab.service.base_url]);
  expect([distrusted.code, distrusted.stderr]).toEqual([
    4,
    expect.stringContaining('not one that is trusted here'),
  ]);
});

test('a plan of a file that was changed by hand, or is of another lab, is not sent', async () => {
  const plan = join(folder, 'other.json');
  await push([...reach(), '--dry-run', '--plan', plan]);
  const made = JSON.parse(await readFile(plan, 'utf8')) as Record<string, unknown>;
  await writeFile(plan, JSON.stringify({ ...made, lab: 'another' }));
  const ca = ['--ca', lab.service.ca_file ?? ''];
  expect(await push(['--plan', plan, ...ca])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('Plan again'),
  });
  await writeFile(plan, JSON.stringify({ ...made, version: 2 }));
  expect(await push(['--plan', plan, ...ca])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a plan of another version of Fieldbench'),
  });
  await writeFile(plan, JSON.stringify({ ...made, devices: null }));
  expect(await push(['--plan', plan, ...ca])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is no plan'),
  });
});
