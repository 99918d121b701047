import { bodies } from './bodies.ts';
import type { Door } from './door.ts';
import { frames } from './frames.ts';
import { folders } from './folders.ts';
import { imports } from './imports.ts';
import { starts } from './starts.ts';
import { readers } from './readers.ts';
import { heads } from './heads.ts';
import { paths } from './paths.ts';

export const doors: readonly Door[] = [heads, paths, bodies, frames, imports, readers, folders, starts];
