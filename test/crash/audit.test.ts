import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AuditEntry } from '#shared/operations/service/audit.ts';
import { runCli, startServiceProcess, type ServiceProcess } from '../helpers/service/service-process.ts';
import { someRuns } from '../helpers/some-runs.ts';

/* The audit trail of a service that is killed while people change things: never behind what it tells of, and never ahead of it. */

const secrets = { args: ['--vault', 'file'], env: { FIELDBENCH_PASSPHRASE: 'correct horse' } };
const ROUNDS = someRuns(24);

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fieldbench-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** All entries of a project, the first first. */
async function entriesOf(service: ServiceProcess, project_id: string): Promise<AuditEntry[]> {
  const found: AuditEntry[] = [];
  for (let before = ''; ;) {
    const path = `/_local/v1/audit?project_id=${project_id}&operation=projects.update&limit=200${before}`;
    const { data } = await service.call<{ entries: AuditEntry[]; next: number | null }>('GET', path);
    found.push(...(data?.entries ?? []));
    if (!data || data.next === null) return found.toReversed();
    before = `&before=${data.next}`;
  }
}

test(
  'each change that was said to be made has its line, and each line its change',
  { timeout: 180_000 },
  async () => {
    const said: string[] = [];
    let project_id = '';
    let next = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const service = await startServiceProcess({ directory, ...secrets });
      if (project_id === '')
        project_id =
          (await service.call<{ id: string }>('POST', '/_local/v1/projects', { name: 'Boiler room' })).data
            ?.id ?? '';
      const path = `/_local/v1/projects/${project_id}`;
      const before = said.length;
      const killed = new AbortController();
      const writers = Array.from({ length: 3 }, async () => {
        while (!killed.signal.aborted) {
          const description = `${next++} ${'x'.repeat(400)}`;
          const answer = await service.call('PATCH', path, { description }).catch(() => null);
          if (answer?.success === true) said.push(description);
        }
      });
      await expect.poll(() => said.length - before, { timeout: 60_000, interval: 5 }).toBeGreaterThan(100);
      await service.kill();
      killed.abort();
      await Promise.all(writers);
      const verified = await runCli(['verify', '--data', directory]);
      expect([verified.code, verified.stderr]).toEqual([0, '']);
      expect(verified.stdout).toContain('It is as it was written.');
    }

    const service = await startServiceProcess({ directory, ...secrets });
    const entries = await entriesOf(service, project_id);
    const told = entries.map(({ changes }) => String(changes[0]?.after?.['description']));
    expect(new Set(said).difference(new Set(told))).toEqual(new Set());
    // Each begins with what the one before it ended with: none tells of a change that was not made.
    const was = entries.map(({ changes }) => String(changes[0]?.before?.['description']));
    expect(was).toEqual(['', ...told.slice(0, -1)]);
    const { data } = await service.call<{ description: string }>('GET', `/v2/projects/${project_id}`);
    expect(data?.description).toBe(told.at(-1));
    expect((await runCli(['verify', '--data', directory])).code).toBe(0);
    expect(await service.stop()).toBe(0);
  },
);
