import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEBIAN_BINARIES, giveToPostgres, run } from '../helpers/postgres/postgres-programs.ts';
import { startServiceProcess, type ServiceProcess } from '../helpers/service/service-process.ts';
import { freePorts } from './balancers.ts';
import { commandsUnder, PROJECT } from './lab-page.ts';

/*
 * docs/lab.md from an empty cluster to a restored backup, by its own commands. Only addresses and paths are replaced, and four programs
 * stand in for those of a machine of one's own: sudo, systemctl, apt-get and npm.
 */

const PASSWORD = 'a1b2c3d4e5f6';
const isRoot = process.getuid?.() === 0;
const hasVerify = spawnSync('systemd-analyze', ['--version']).status === 0;

describe.skipIf(DEBIAN_BINARIES === null)('an administrator who has docs/lab.md alone', () => {
  let root: string;
  let cluster: string;
  let port: number;
  let service: ServiceProcess;
  const at = (...parts: string[]) => join(root, ...parts);

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'fieldbench-administrator-'));
    await chmod(root, 0o711);
    cluster = at('cluster');
    [port = 0] = await freePorts(1);
    for (const name of ['cluster', 'socket', 'bin', 'units', 'home', 'work', 'backups'])
      await mkdir(at(name));
    await giveToPostgres([cluster, at('socket')]);
    // As Debian makes a cluster; who may come over the socket without a password is its superuser there.
    const made = run(
      'initdb',
      ['-D', cluster, '-U', 'postgres', '--auth-local=trust', '--auth-host=scram-sha-256', '--no-sync'],
      root,
      DEBIAN_BINARIES!,
    );
    const [code] = (await once(made.child, 'exit')) as [number];
    expect(code, made.said()).toBe(0);
    await mkdir(join(cluster, 'conf.d'), { mode: 0o755 });
    const settings = [
      `include_dir = 'conf.d'`,
      `port = ${port}`,
      `unix_socket_directories = '${at('socket')}'`,
    ];
    await appendFile(join(cluster, 'postgresql.conf'), settings.map((line) => `${line}\n`).join(''));
    await standIns();
  });
  afterAll(async () => {
    await service?.kill();
    if (existsSync(join(cluster, 'postmaster.pid')))
      await shell('sudo -u postgres pg_ctl -D "$CLUSTER" -m immediate -w stop');
    await rm(root, { recursive: true });
  });

  async function standIns(): Promise<void> {
    const asPostgres = isRoot ? 'exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"' : 'exec "$@"';
    const programs = {
      sudo: `if [ "$1" = -u ]; then shift 2; export PGHOST=${at('socket')} PGPORT=${port} PGUSER=postgres; cd /; ${asPostgres}; fi; exec "$@"`,
      systemctl: `case "$*" in
        'restart postgresql') sudo -u postgres pg_ctl -D "$CLUSTER" -w -l "$CLUSTER/log" restart >&2;;
        'stop fieldbench') kill -TERM "$SERVICE"; while kill -0 "$SERVICE" 2>/dev/null; do sleep 0.05; done;;
        'daemon-reload' | 'enable --now fieldbench') ;;
        *) echo "unexpected: systemctl $*" >&2; exit 1;;
      esac`,
      // Debian's package starts a cluster.
      'apt-get': `sudo -u postgres pg_ctl -D "$CLUSTER" -w -l "$CLUSTER/log" start >&2`,
      npm: '[ "$*" = "run setup" ]',
    };
    for (const [name, text] of Object.entries(programs))
      await writeFile(at('bin', name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    // The program: this project, with the Node that the tests run on.
    await mkdir(at('opt', 'node_modules', '.bin'), { recursive: true });
    await symlink(process.execPath, at('opt', 'node_modules', '.bin', 'node'));
    for (const folder of ['out', 'deploy']) await symlink(join(PROJECT, folder), at('opt', folder));
  }

  /** What the page says, of this machine. */
  const here = (text: string) =>
    text
      .replaceAll('@database.example.org/', `@localhost:${port}/`)
      .replaceAll('database.example.org', 'localhost')
      .replaceAll('10.0.0.0/24', '127.0.0.0/8')
      .replaceAll('shared_buffers = 2GB', 'shared_buffers = 16MB')
      .replaceAll('-o postgres -g postgres', isRoot ? '-o 65534 -g 65534' : '')
      .replaceAll('/etc/postgresql/15/main', cluster)
      .replaceAll('/etc/fieldbench', at('etc'))
      .replaceAll('/etc/systemd/system', at('units'))
      .replaceAll('/opt/fieldbench', at('opt'))
      .replaceAll('/var/lib/fieldbench', at('data'))
      .replaceAll('/backups', at('backups'))
      .replaceAll('…', PASSWORD);

  /** Runs commands in the folder with the certificates. Rejects with what they said. */
  async function shell(commands: string): Promise<string> {
    const PATH = [at('bin'), DEBIAN_BINARIES, process.env['PATH']].join(delimiter);
    const env = {
      ...process.env,
      PATH,
      CLUSTER: cluster,
      HOME: at('home'),
      LC_ALL: 'C',
      SERVICE: String(service?.pid ?? ''),
    };
    // Without a terminal createuser reads the password, twice, from its input: a file, as other commands end before they read any.
    const typed = at('work', 'typed');
    await writeFile(typed, `${PASSWORD}\n${PASSWORD}\n`);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    execFile(
      'sh',
      ['-c', 'exec setsid --wait sh -e -c "$1" < "$2"', 'sh', here(commands), typed],
      { cwd: at('work'), env },
      (error, stdout, stderr) =>
        error ? reject(new Error(`${stdout}${stderr}`, { cause: error })) : resolve(stdout),
    );
    return promise;
  }
  const page = (...headings: string[]) =>
    shell(headings.flatMap((heading) => commandsUnder(heading)).join('\n'));

  /** Starts the unit that was installed, as systemd does. */
  async function startUnit(): Promise<ServiceProcess> {
    const file = at('units', 'fieldbench.service');
    await writeFile(file, here(await readFile(file, 'utf8')));
    const unit = (await readFile(file, 'utf8')).replaceAll('\\\n', ' ');
    const [, program = '', script = '', flags = ''] = /^ExecStart=(\S+) (\S+) serve (.*)$/m.exec(unit) ?? [];
    const credentials = at('credentials');
    await mkdir(credentials, { recursive: true });
    for (const [, name = '', from = ''] of unit.matchAll(/^LoadCredential=([^:]+):(.*)$/gm))
      await cp(from, join(credentials, name));
    const [https, mqtts] = await freePorts(2);
    return startServiceProcess({
      cli: [program, script],
      directory: at('data'),
      args: [
        ...flags.replaceAll('${CREDENTIALS_DIRECTORY}', credentials).trim().split(/\s+/),
        '--host',
        '127.0.0.1',
        '--port',
        `${https}`,
        '--mqtts-port',
        `${mqtts}`,
        '--drain',
        '0',
        '--data',
        at('data'),
      ],
    });
  }
  const projects = async () => {
    const { data } = await service.call<{ name: string }[]>('GET', `${service.info.http_url}/v2/projects`);
    return data?.map(({ name }) => name);
  };
  const create = (name: string) =>
    service.call('POST', `${service.info.http_url}/_local/v1/projects`, { name });

  test('gets a database, certificates, a key and a service, over TLS', async () => {
    await page('Program');
    await page('Certificates and key');
    await page('Database');
    const [install = '', link = ''] = commandsUnder('Services');
    await shell(install);
    service = await startUnit();
    expect(await shell(link)).toMatch(/^https:\/\/lab\.example\.org\/console\/open\?token=/m);
    await create('Before');
    expect(await projects()).toEqual(['Before']);
  });

  test('tells PostgreSQL of the tables, and finds nothing to mend', async () => {
    expect(await page('Tables')).toContain('Nothing is to be mended.');
  });

  test('restores a backup, and what came after it is gone', async () => {
    const [store = ''] = commandsUnder('Tables')[0]!.split('\n');
    const steps = commandsUnder('Backup and restore');
    await shell(`${store}\n${steps[0]}`);
    await create('After');
    expect(await projects()).toHaveLength(2);
    await shell([store, ...steps.slice(1)].join('\n'));
    service = await startUnit();
    expect(await projects()).toEqual(['Before']);
  });

  test.skipIf(!hasVerify)('has a unit of which systemd has nothing to say', async () => {
    const said = execFileSync('systemd-analyze', ['verify', at('units', 'fieldbench.service')], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(said).toBe('');
  });
});
