import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { CACHE, inProject } from './project.mjs';

/** The pinned Node, which the `node` dev dependency brings: its package keeps the program of this system only. */
export const NODE_24 = inProject(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);

export const hasNode24 = () => existsSync(NODE_24);

/**
 * Runs something with a copy of the pinned Node that is not in node_modules, which may be deleted meanwhile.
 * @template T
 * @param {(program: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withNode24Aside(work) {
  const folder = path.join(CACHE, 'node');
  const program = path.join(folder, path.basename(NODE_24));
  mkdirSync(folder, { recursive: true });
  try {
    copyFileSync(NODE_24, program, constants.COPYFILE_FICLONE);
    return await work(program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
