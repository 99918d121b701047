import { execFileSync } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CommandLine } from '../helpers/service/service-process.ts';

/** What the package's own script runs, and what clears the environment. */
const TOOLS = ['/bin/sh', '/usr/bin/readlink', '/usr/bin/dirname', '/usr/bin/env'];

/** Makes a system with nothing but a shell, two devices and the libraries of C and C++ that a program is linked to. For root. */
export async function makeBareSystem(bare: string, program: string): Promise<void> {
  for (const folder of ['bin', 'dev']) await mkdir(join(bare, folder), { recursive: true });
  for (const tool of TOOLS) await cp(tool, join(bare, 'bin', basename(tool)), { dereference: true });
  const listed = execFileSync('ldd', [...TOOLS, program], { encoding: 'utf8' });
  const libraries = Array.from(listed.matchAll(/(\/\S+) \(0x/g), ([, path = '']) => path);
  for (const library of new Set(libraries)) await cp(library, join(bare, library), { dereference: true });
  execFileSync('mknod', ['-m', '666', join(bare, 'dev/null'), 'c', '1', '3']);
  execFileSync('mknod', ['-m', '666', join(bare, 'dev/urandom'), 'c', '1', '9']);
}

/** A command as a user has it there. */
export const inBareSystem = (
  bare: string,
  { user, home }: { readonly user: number; readonly home: string },
  command: readonly string[],
): CommandLine => [
  '/usr/sbin/chroot',
  `--userspec=${user}:${user}`,
  bare,
  '/bin/env',
  '-i',
  `HOME=${home}`,
  'PATH=/bin',
  ...command,
];
