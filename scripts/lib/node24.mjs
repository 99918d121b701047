import { existsSync } from 'node:fs';
import { inProject } from './project.mjs';

/** The pinned Node, which the `node` dev dependency brings: its package keeps the program of this system only. */
export const NODE_24 = inProject(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);

export const hasNode24 = () => existsSync(NODE_24);
