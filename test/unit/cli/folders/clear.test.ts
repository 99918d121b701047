import { randomBytes, randomUUID } from 'node:crypto';
import { cp, link, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appFolders, sharedAppFolders } from '#core/cli/folders/app-folders.ts';
import type { UserSystem } from '#core/cli/folders/per-user-folder.ts';
import { hasPostgres } from '../../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../../helpers/postgres/shared-postgres.ts';
import { runService } from '../../../helpers/service/running-service.ts';
import { home, clear, used, usedBefore, profileOf, inHome } from './clear-home.ts';

/* `fieldbench clear`, as somebody runs it. */

const FIXTURES = join(import.meta.dirname, '../../../fixtures');

inHome();

describe.runIf(process.platform !== 'win32')('fieldbench clear', () => {
  test('says what would go and how much it is, and removes nothing without a yes', async () => {
    const directory = await usedBefore();
    const before = await readdir(directory);
    const profile = await profileOf(directory);
    const { code, output } = await clear(directory);
    expect(code).toBe(1);
    expect(output).toMatch(/data of Fieldbench: 1 project, 1 device, [\d,]{5,} bytes/);
    expect(output).toContain(`${profile}: what the app’s window keeps, 1,000 bytes`);
    expect(output).toContain('Nothing was removed.');
    const json = await clear(directory, '--json');
    expect([json.code, JSON.parse(json.stdout)]).toMatchObject([1, { removed: false, devices: 1, left: [] }]);
    expect((await readdir(directory)).toSorted()).toEqual(before.toSorted());
    expect(await readdir(profile)).toHaveLength(2);
  });

  test('removes all that a service and a window left, and nothing else in the home', async () => {
    const directory = await usedBefore();
    await profileOf(directory);
    await writeFile(join(home, 'letter.txt'), 'mine');
    const { code, stdout } = await clear(directory, '--yes', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { removed: true, projects: 1, left: [] }]);
    const left = await readdir(home);
    expect(left).not.toContain('data of Fieldbench');
    expect(left).toContain('letter.txt');
    expect(await readdir(join(home, '.config'))).not.toContain('Fieldbench Desktop');
  });

  test('takes what starts of every data directory share with the last of them, and not before', async () => {
    const directory = await usedBefore();
    const other = join(home, 'other');
    await cp(directory, other, { recursive: true });
    const profiles = join(await profileOf(directory), '..');
    await profileOf(other);
    await mkdir(join(profiles, 'starts/logs'), { recursive: true });
    await writeFile(join(profiles, 'starts/logs/fieldbench.log'), 'A start failed.');
    expect((await clear(directory, '--yes')).output).not.toContain('starts');
    expect(await readdir(join(profiles, 'starts/logs'))).toEqual(['fieldbench.log']);
    expect((await clear(other, '--yes')).output).toContain(join(profiles, 'starts'));
    expect(await readdir(join(home, '.config'))).not.toContain('Fieldbench Desktop');
  });

  test('knows on each system what the app keeps of its windows, both halves of a log too', () => {
    const on = (platform: NodeJS.Platform, folder: string) =>
      [appFolders, (_key: string, ...rest: [UserSystem, null]) => sharedAppFolders(...rest)].flatMap(
        (folders) => folders('k', { platform, env: {}, home: () => folder }, null),
      );
    expect(on('linux', '/home/ada')).toEqual([
      '/home/ada/.config/Fieldbench Desktop/k',
      '/home/ada/.config/Fieldbench Desktop/starts',
    ]);
    expect(on('win32', 'C:\\Users\\ada')).toEqual([
      'C:\\Users\\ada\\AppData\\Roaming\\Fieldbench Desktop\\k',
      'C:\\Users\\ada\\AppData\\Roaming\\Fieldbench Desktop\\starts',
    ]);
    const library = '/Users/ada/Library';
    expect(on('darwin', '/Users/ada')).toEqual([
      `${library}/Application Support/Fieldbench Desktop/k`,
      `${library}/Logs/Fieldbench/fieldbench-k.log`,
      `${library}/Logs/Fieldbench/fieldbench-k.old.log`,
      `${library}/Application Support/Fieldbench Desktop/starts`,
      `${library}/Logs/Fieldbench/fieldbench.log`,
      `${library}/Logs/Fieldbench/fieldbench.old.log`,
    ]);
  });

  test.each([
    ['a link', symlink],
    ['another name of a file', link],
  ])('takes away %s in place of vault.key, and writes nothing to what it leads to', async (_, make) => {
    const directory = await usedBefore();
    const stick = join(home, 'stick.key');
    await rename(join(directory, 'vault.key'), stick);
    await make(stick, join(directory, 'vault.key'));
    const key = await readFile(stick);
    const { code, output } = await clear(directory, '--yes');
    expect([code, output]).toMatchObject([0, expect.stringContaining('It is removed.')]);
    expect(await readdir(home)).not.toContain('data of Fieldbench');
    expect(await readFile(stick)).toEqual(key);
  });

  test.each(['data-1', 'data-2', 'data-3'])(
    'removes all that an earlier version wrote (%s)',
    async (fixture) => {
      const directory = join(home, 'earlier');
      await cp(join(FIXTURES, fixture, 'folder'), directory, { recursive: true });
      const { code, stdout } = await clear(directory, '--yes', '--json');
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { left: [] }]);
      expect(await readdir(home)).not.toContain('earlier');
    },
  );

  test('removes what crashes and repairs left', async () => {
    const directory = await usedBefore();
    const device = randomUUID();
    const left = [
      'metadata.json.tmp',
      'metadata.damaged-2026-01-02T03-04-05.678901Z.json',
      'vault.json.tmp',
      'push-agreed.journal',
      'store-check.journal.damaged',
      'other-services.json.damaged',
      'tls/cert.pem.tmp',
      'data/damaged-wal-1-0011aaff.log',
      'data/wal-spare.log',
      `data/${device}/manifest.tmp`,
      `data/${device}/3-14.damaged`,
      `data/${device}/4.seg.damaged`,
    ];
    for (const path of left) {
      await mkdir(join(directory, path, '..'), { recursive: true });
      await writeFile(join(directory, path), 'x');
    }
    const { code, stdout } = await clear(directory, '--yes', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { left: [] }]);
    expect(await readdir(home)).not.toContain('data of Fieldbench');
  });

  test.each([
    ['is damaged', (path: string) => writeFile(path, '{"half'), /metadata\.json \(.*can be read/],
    ['is gone', (path: string) => rm(path), /There is no metadata\.json in/],
    [
      'is of a newer version',
      async (path: string) =>
        writeFile(path, (await readFile(path, 'utf8')).replace(/"version": ?\d+/, '"version":99')),
      /cannot be opened/,
    ],
  ])('clears a directory whose metadata %s, after it has said so', async (_, spoil, says) => {
    const directory = await usedBefore();
    for (const name of ['metadata.json', 'metadata.last-good.json']) await spoil(join(directory, name));
    const before = await readdir(directory);
    const asked = await clear(directory);
    expect([asked.code, asked.output]).toEqual([1, expect.stringMatching(says)]);
    expect(asked.output).toMatch(/[Nn]obody can say which projects and devices/);
    expect(asked.output).not.toContain('database');
    expect(asked.output).toMatch(/data of Fieldbench: [\d,]{5,} bytes/);
    expect((await readdir(directory)).toSorted()).toEqual(before.toSorted());
    const { code, stdout } = await clear(directory, '--yes', '--json');
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { projects: null, devices: null, left: [] }]);
    expect(await readdir(home)).not.toContain('data of Fieldbench');
  });

  test.skipIf(!hasPostgres)(
    'clears the folder of a service whose records are in a database, and says that they stay',
    async () => {
      const postgres = await sharedPostgres();
      const keyFile = join(home, 'lab.key');
      await writeFile(keyFile, randomBytes(32));
      const store = { url: await postgres.database(), password: null, keyFile };
      const directory = join(home, 'of a lab');
      const lab = () => runService({ directory, store, tls: true });
      const first = await lab();
      await first.request('POST', '/_local/v1/projects', { body: { name: 'Hall' } });
      await first.service.close();
      const { code, output } = await clear(directory, '--yes');
      expect([code, output]).toMatchObject([
        0,
        expect.stringMatching(/no metadata\.json[^]*in a database[^]*stays[^]*It is removed\./),
      ]);
      expect(await readdir(home)).not.toContain('of a lab');
      const again = await lab();
      const { data } = (await again.request('GET', '/v2/projects')).envelope;
      expect(data).toMatchObject([{ name: 'Hall' }]);
      await again.service.close();
    },
  );

  test('refuses while a service uses the directory, and any folder that is none', async () => {
    const { service, directory } = await used();
    const busy = await clear(directory, '--yes');
    expect([busy.code, busy.output]).toMatchObject([3, expect.stringContaining('fieldbench stop')]);
    expect((await service.request('GET', '/v2/projects')).status).toBe(200);
    await service.service.close();
    await mkdir(join(home, 'photos/data'), { recursive: true });
    // As other programs have them.
    await mkdir(join(home, 'photos/tls'));
    await writeFile(join(home, 'photos/tls/ca.pem'), 'mine');
    await writeFile(join(home, 'photos/vault.key'), 'mine');
    for (const other of ['photos', 'nowhere']) {
      const { code, output } = await clear(join(home, other), '--yes');
      expect([code, output]).toMatchObject([2, expect.stringContaining('is no data directory')]);
    }
    expect((await readdir(join(home, 'photos'))).toSorted()).toEqual(['data', 'tls', 'vault.key']);
  });
});
