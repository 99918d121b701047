import { bodies } from './http/bodies.ts';
import { control } from './control.ts';
import type { Door } from './door.ts';
import { frames } from './http/frames.ts';
import { greedy } from './greedy.ts';
import { folders } from './folders.ts';
import { imports } from './imports.ts';
import { mqtt } from './mqtt/mqtt.ts';
import { packets } from './mqtt/packets.ts';
import { starts } from './starts.ts';
import { readers } from './readers.ts';
import { heads } from './http/heads.ts';
import { paths } from './http/paths.ts';

export const doors: readonly Door[] = [
  heads,
  paths,
  bodies,
  frames,
  imports,
  readers,
  folders,
  starts,
  control,
  mqtt,
  packets,
  greedy,
];

/**
 * Of 1,000 inputs, how many come by each door: the more, the less one costs. That is 2 ms of a quiet core for one of the
 * cheap ones, 15 for a file, 800 for a start, which takes a process, and some seconds of both for a greedy one.
 */
export const SHARES: Readonly<Record<string, number>> = {
  heads: 150,
  paths: 320,
  bodies: 150,
  frames: 80,
  imports: 10,
  readers: 30,
  folders: 40,
  starts: 1,
  control: 30,
  mqtt: 89,
  packets: 100,
  greedy: 2,
};
