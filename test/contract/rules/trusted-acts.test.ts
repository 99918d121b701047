import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import type { Alarm } from '#shared/operations/metadata/alarms.ts';
import { openSmtpServer, type SmtpServer } from '../../helpers/acts/smtp-server.ts';
import { startServiceProcess, type ServiceProcess } from '../../helpers/service/service-process.ts';
import { openHookServer, type HookServer } from './hook-server.ts';

/* Acts over TLS go to whom the process of the service trusts, and wait until then (docs/functions.md, "Acts"). */

const WAIT = { timeout: 60_000, interval: 50 };
const NAMES = { dns: ['localhost'], ips: ['127.0.0.1'] };
let folder: string;
let caFile: string;
let hooks: HookServer;
let smtp: SmtpServer;
let running: ServiceProcess | null = null;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
  const authority = createAuthority(NAMES, Date.now());
  caFile = join(folder, 'lab-ca.pem');
  await writeFile(caFile, authority.cert);
  hooks = await openHookServer(issueServer(authority, NAMES, Date.now()));
  smtp = await openSmtpServer({
    auth: { user: 'u', password: 'right' },
    tls: { pair: issueServer(authority, NAMES, Date.now()), by: 'starttls' },
  });
});
afterAll(async () => {
  await running?.kill();
  await hooks.close();
  await smtp.close();
  await rm(folder, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  const directory = join(folder, 'data');
  running = await startServiceProcess({ directory, args: ['--vault', 'file'], env });
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (running === null) throw new TypeError('no service runs');
  const { success, message, data } = await running.call<T>(method, path, body);
  if (!success || data === null) throw new Error(`${method} ${path}: ${message}`);
  return data;
}

test('a webhook and a mail whose authority is unknown are refused and kept, and done once the service trusts it', async () => {
  await start({});
  const { id: project } = await ask<{ id: string }>('POST', '/_local/v1/projects', { name: 'Plant' });
  const { metadata } = await ask<{ metadata: { device_id: string; device_token: string } }>(
    'POST',
    `/v2/projects/${project}/devices`,
    { name: 'Boiler', source: 'http' },
  );
  await ask('PATCH', '/_local/v1/settings', {
    webhook_hosts: ['127.0.0.1'],
    mail: {
      host: '127.0.0.1',
      port: smtp.port,
      security: 'starttls',
      from: 'alarms@lab.example',
      user: 'u',
      password: 'right',
    },
  });
  await ask('POST', `/_local/v1/projects/${project}/functions`, {
    device_id: metadata.device_id,
    name: 'Hot',
    type: 'rule',
    condition: {
      when: { key: 't', above: 30 },
      acts: [
        { do: 'webhook', url: hooks.url },
        { do: 'mail', to: ['a@lab.example'] },
      ],
    },
  });
  const stored = await running?.fetch('/integrations/http', {
    method: 'POST',
    headers: { authorization: `Bearer ${metadata.device_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ t: 31 }),
  });
  expect(stored?.status).toBe(200);
  const acts = async () =>
    (await ask<readonly Alarm[]>('GET', `/_local/v1/projects/${project}/alarms`)).flatMap(
      (alarm) => alarm.acts,
    );
  const said = expect.stringContaining('NODE_EXTRA_CA_CERTS') as string;
  await vi.waitFor(async () => {
    expect((await acts()).map(({ state, error }) => [state, error])).toEqual([
      ['waiting', said],
      ['waiting', said],
    ]);
  }, WAIT);
  const keys = (await acts()).map(({ key }) => key);
  expect([hooks.said, smtp.heard.mails]).toEqual([[], []]);
  expect(smtp.heard.lines.some((line) => line.startsWith('AUTH'))).toBe(false);
  await running?.stop();

  await start({ NODE_EXTRA_CA_CERTS: caFile });
  await vi.waitFor(async () => {
    expect((await acts()).map(({ key, state, error }) => [key, state, error])).toEqual(
      keys.map((key) => [key, 'done', null]),
    );
  }, WAIT);
  expect(hooks.said.map(({ key, event }) => [key, event])).toEqual([[keys[0], 'raised']]);
  expect(smtp.heard.mails).toHaveLength(1);
  expect(smtp.heard.plain.some((line) => /^(AUTH|MAIL|RCPT|DATA)/.test(line))).toBe(false);
});
