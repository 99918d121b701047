import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles } from '#core/disk/files.ts';
import { createSystemClock } from '#core/base/system-clock.ts';
import { verifyFolder } from '#core/store/metadata/file/verify-folder.ts';
import { inFolder } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { runCli } from '../../helpers/service/service-process.ts';
import { entriesOf, lastOf, trailOf, verifiedBy } from '../audit/told.ts';
import { createWorld, dataOf, type World } from '../world.ts';
import { answerTo, backupOf, crafted, membersOf, projectRow, refused, restored } from './backups.ts';

/* docs/backup.md, "The audit trail": a backup takes it along, and a restore keeps it beside the one that is there. */

let service: RunningService;
let other: RunningService;
let world: World;

beforeEach(async () => {
  [service, other] = [await runService(), await runService()];
  world = await createWorld(service);
});
afterEach(async () => {
  await service.stop();
  await other.stop();
});

interface Former {
  readonly first: number;
  readonly last: number;
  readonly sha256: string;
}

const formerOf = async (at: RunningService) =>
  (await dataOf(at, 'GET', '/_local/v1/audit')) as unknown as { readonly former: readonly Former[] };

const exported = async (at: RunningService, { sha256 }: Former) =>
  (await at.request('GET', `/_local/v1/audit/export?trail=${sha256}`)).text;

/** Names of former trails on the disk. */
const filesOf = async ({ directory }: RunningService): Promise<readonly string[]> =>
  readdir(join(directory, 'audit', 'former')).catch(() => []);

const rename = (name: string) =>
  dataOf(service, 'PATCH', `/_local/v1/projects/${world.project_id}`, { name });

describe.runIf(inFolder)('the audit trail of a backup', () => {
  test('is kept by another installation beside its own, line by line, and both are verified', async () => {
    const lines = await trailOf(service);
    const file = await backupOf(service);
    const before = await lastOf(other);
    expect(await restored(other, file, '?dry_run=true')).toMatchObject({ trails: { new: 1, same: 0 } });
    expect([await filesOf(other), await lastOf(other)]).toEqual([[], before]);
    expect(await restored(other, file)).toMatchObject({ trails: { new: 1, same: 0 } });
    const { former } = await formerOf(other);
    const last = await lastOf(service);
    expect(former).toEqual([{ first: 1, last, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    const [found] = former as [Former];
    expect(await exported(other, found)).toBe(lines);
    expect(await trailOf(other)).not.toContain(lines);
    const verified = await verifiedBy(other);
    expect(verified).toMatchObject({ harmed: 0, former: 1 });
    expect(verified.entries).toBe(await lastOf(other));
    // The restore's own entry says what it brought.
    const { entries } = await entriesOf(other, { operation: 'backup.restore' });
    expect(entries.map(({ facts }) => facts)).toContainEqual({ former_trails: [found] });
    const own = await entriesOf(service, { limit: 200 });
    const told = await entriesOf(other, { limit: 200, trail: found.sha256 });
    expect(told.entries).toEqual(own.entries);
    const some = await entriesOf(other, { trail: found.sha256, operation: 'projects.create', limit: 1 });
    expect(some.entries).toHaveLength(1);
    expect(some.next).toBe(some.entries[0]?.n);
    const none = await other.request('GET', `/_local/v1/audit?trail=${'0'.repeat(64)}`);
    expect([none.status, none.envelope.message]).toEqual([404, 'Former audit trail not found.']);
  });

  test('is kept once, and one that goes on where it ends takes its place', async () => {
    const file = await backupOf(service);
    await restored(other, file);
    const [first] = (await formerOf(other)).former;
    expect(await restored(other, file)).toMatchObject({ trails: { new: 0, same: 1 } });
    expect((await formerOf(other)).former).toEqual([first]);
    await rename('Boiler room 2');
    expect(await restored(other, await backupOf(service))).toMatchObject({ trails: { new: 1, same: 0 } });
    const { former } = await formerOf(other);
    expect(former).toEqual([{ ...former[0], first: 1, last: await lastOf(service) }]);
    expect(await filesOf(other)).toHaveLength(1);
    expect(await verifiedBy(other)).toMatchObject({ harmed: 0, former: 1 });
    // The earlier backup holds nothing that is not here.
    expect(await restored(other, file)).toMatchObject({ trails: { new: 0, same: 1 } });
  });

  test('is that of the installation itself where it comes back, as the beginning of what is there', async () => {
    const file = await backupOf(service);
    await rename('Boiler room 2');
    expect(await restored(service, file, '?replace=true')).toMatchObject({ trails: { new: 0, same: 1 } });
    expect((await formerOf(service)).former).toEqual([]);
    expect(await verifiedBy(service)).toMatchObject({ harmed: 0, former: 0 });
  });

  test('goes on with the former ones, from installation to installation', async () => {
    await restored(other, await backupOf(service));
    const third = await runService();
    try {
      expect(await restored(third, await backupOf(other))).toMatchObject({ trails: { new: 2, same: 0 } });
      const { former } = await formerOf(third);
      const texts = await Promise.all(former.map((each) => exported(third, each)));
      expect(texts.toSorted()).toEqual([await trailOf(service), await trailOf(other)].toSorted());
      expect(await verifiedBy(third)).toMatchObject({ harmed: 0, former: 2 });
    } finally {
      await third.stop();
    }
  });

  test('is left out of a part, which says so, and where only a part is restored', async () => {
    const part = await backupOf(service, `?device_id=${world.device_id}`);
    const members = await membersOf(part);
    expect([...members.keys()].filter((name) => name.startsWith('audit/'))).toEqual([]);
    const { left_out } = JSON.parse(members.get('manifest.json')?.toString() ?? '') as { left_out: string[] };
    expect(left_out).toContain(
      'accounts, API keys, saved views and the audit trail: of all, and this backup is of a part',
    );
    expect(await restored(other, part)).not.toHaveProperty('trails');
    const of = `?device_id=${world.device_id}`;
    expect(await restored(other, await backupOf(service), of)).toMatchObject({ trails: null });
    expect(await filesOf(other)).toEqual([]);
  });

  test('of an earlier Fieldbench is not there, and nothing is missing', async () => {
    expect(await restored(other, await crafted([projectRow(1)]))).not.toHaveProperty('trails');
    expect(await verifiedBy(other)).toMatchObject({ harmed: 0, former: 0 });
  });

  test('of a backup that is refused leaves nothing behind', async () => {
    const file = await backupOf(service);
    // The last member, behind the trail, is not as it was written.
    const harmed = Buffer.from(file);
    // Behind the header, of 512 bytes, which has its name.
    const at = (Math.floor(harmed.lastIndexOf('records.blocks') / 512) + 1) * 512 + 20;
    harmed[at] = (harmed[at] ?? 0) ^ 1;
    expect(await refused(other, harmed)).toMatch(/^The backup .*"devices\/.*records\.blocks"/);
    expect(await filesOf(other)).toEqual([]);
    expect(await verifiedBy(other)).toMatchObject({ harmed: 0, former: 0 });
    const cut = await answerTo(other, file.subarray(0, file.length / 2));
    expect(cut.status).toBe(400);
    expect(await filesOf(other)).toEqual([]);
  });

  test('is named where a line of it was changed, it was taken away, or one was put there', async () => {
    await restored(other, await backupOf(service));
    const [name = ''] = await filesOf(other);
    const folder = join(other.directory, 'audit', 'former');
    const path = join(folder, name);
    const text = await readFile(path, 'utf8');
    const messages = async () => {
      const { findings } = await verifiedBy(other);
      const offline = await verifyFolder(other.directory, { clock: createSystemClock(), files: nodeFiles });
      expect(offline?.findings.map(({ harm }) => harm)).toEqual(findings.map(({ harm }) => harm));
      return findings.map(({ message }) => message).join('\n');
    };
    expect(await messages()).toBe('');
    await writeFile(path, text.replace('Boiler room', 'Boiler  oom'));
    expect(await messages()).toMatch(/^Of the former trail that ends with entry \d+ .* was changed\.$/);
    await rm(path);
    expect(await messages()).toMatch(/^Of the former trail .*: Entries 1 to \d+ are missing/);
    await writeFile(path, text);
    expect(await messages()).toBe('');
  });

  test('is listed, exported and verified by the command line, which says what a restore does with it', async () => {
    const file = join(service.directory, 'all.tar');
    const at = ['--data', other.directory];
    await writeFile(file, await backupOf(service));
    const would = await runCli(['restore', file, '--dry-run', ...at]);
    expect(would.stdout).toContain('1 audit trail of it would be kept beside the one here (audit list).');
    const done = await runCli(['restore', file, ...at]);
    expect(done.stdout).toContain('1 audit trail of it is kept beside the one here (audit list).');
    expect((await runCli(['restore', file, ...at])).stdout).toContain('1 audit trail of it is here already.');
    const part = await runCli(['restore', file, '--dry-run', '--device', world.device_id, ...at]);
    expect(part.stdout).toContain('Its audit trail is left out: only a part is restored.');
    const [found] = (await formerOf(other)).former as [Former];
    const listed = await runCli(['audit', 'list', '--limit', '1', ...at]);
    expect(listed.stdout).toContain(
      `A former trail has the entries 1 to ${found.last}: --trail ${found.sha256}`,
    );
    const former = await runCli(['audit', 'list', '--trail', found.sha256, ...at]);
    expect(former.stdout).toMatch(/devices\.create/);
    const out = join(service.directory, 'former.ndjson');
    expect((await runCli(['audit', 'export', '--trail', found.sha256, '--out', out, ...at])).code).toBe(0);
    expect(await readFile(out, 'utf8')).toBe(await exported(other, found));
    expect((await runCli(['verify', out])).stdout).toContain(
      `Its last entry is ${found.last}, with the SHA-256`,
    );
    const verified = await runCli(['verify', ...at]);
    expect([verified.code, verified.stdout]).toEqual([
      0,
      expect.stringContaining('Beside it: 1 former trail.'),
    ]);
    const wrong = await runCli(['audit', 'list', '--trail', 'x', ...at]);
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringContaining('--trail must be the SHA-256 of'),
    ]);
  });
});
