import { createHash } from 'node:crypto';
import { closeSync, openSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join } from 'node:path';
import type { Listening } from './claim.ts';

/*
 * The socket of a data folder, which only its owner may use: the way in for `fieldbench open`, `status` and `stop`, and
 * a sign of life for other containers on the folder. It lies in the folder. Where that takes no sockets (FAT, some
 * shares) it lies in a folder of the user's own on this machine; on Windows it is a named pipe.
 */

export interface Place {
  readonly address: string;
  readonly where: Exclude<Listening, 'nowhere'>;
}

export const NAME = 'control.sock';
/** The shortest sun_path: 104 bytes with its end on a Mac, 108 on Linux. */
const MAX_PATH = 103;

/** Returns the possible places of a folder's socket (its real path), the first choice first. */
export function placesOf(folder: string, platform: NodeJS.Platform = process.platform): Place[] {
  const name = createHash('sha256').update(folderKey(folder, platform)).digest('hex').slice(0, 32);
  if (platform === 'win32') return [{ address: `\\\\.\\pipe\\fieldbench-${name}`, where: 'machine' }];
  const named = process.env['XDG_RUNTIME_DIR'] ?? '';
  // The XDG Base Directory Specification: a relative path is to be ignored.
  const runtime = isAbsolute(named) ? named : join(tmpdir(), `fieldbench-${process.getuid?.() ?? 0}`);
  return [
    { address: join(folder, NAME), where: 'folder' },
    { address: join(runtime, `fieldbench-${name}.sock`), where: 'machine' },
  ];
}

/** Containers may have other folders under the same path: hence what the system knows a folder by. Windows ignores case. */
function folderKey(folder: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return folder.toLowerCase();
  const { dev, ino } = statSync(folder);
  return `${dev} ${ino} ${folder}`;
}

export interface Reachable {
  /** Short enough for a socket's address. */
  readonly path: string;
  release(): void;
}

/**
 * A path that is too long is shortened by way of its opened folder, where the system (Linux) names those. Elsewhere it
 * throws: older Nodes would cut it off and use another file.
 */
export function reachable(address: string): Reachable {
  if (Buffer.byteLength(address) <= MAX_PATH || address.startsWith('\\\\'))
    return { path: address, release: () => {} };
  if (process.platform !== 'linux') throw new Error(`${address} is too long for a socket`);
  const fd = openSync(join(address, '..'), 'r');
  return { path: `/proc/self/fd/${fd}/${basename(address)}`, release: () => closeSync(fd) };
}
