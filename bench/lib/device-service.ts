import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceMessage, Started } from '../children/service.ts';
import { rounds, timed, type Sample } from './measure.ts';
import { startChild, type Child } from './process.ts';
import type { Bench } from './row.ts';

/* What rows about many devices share: a service with a key for it, its list, and the delete of a project. */

interface Answer {
  readonly id: string;
  /** Of a device that was made. */
  readonly metadata: { readonly device_token: string };
}

/** Asks with the service's key, or another one. Rejects where the answer is a failure. */
export type Ask = (method: string, path: string, body?: object, token?: string) => Promise<Answer>;

export interface DeviceService {
  readonly child: Child;
  readonly started: Started;
  readonly ask: Ask;
}

/** Starts a service in a process of its own. */
export async function openService(start: ServiceMessage['start']): Promise<DeviceService> {
  const child = startChild('service', ['--expose-gc']);
  const started = await child.ask<Started>({ start });
  const ask: Ask = async (method, path, body, token = started.key) => {
    const response = await fetch(`${started.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { success, message, data } = (await response.json()) as {
      success: boolean;
      message: string;
      data: Answer;
    };
    if (!success) throw new Error(`${method} ${path}: ${message}`);
    return data;
  };
  return { child, started, ask };
}

/** ms until all bytes of the list of a project's devices are there: to parse them is the reader's part. */
export const listing = ({ started: { url, key } }: DeviceService, project: string): Promise<Sample> =>
  rounds(15, () =>
    timed(async () => {
      const response = await fetch(`${url}/v2/projects/${project}/devices`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const bytes = await response.arrayBuffer();
      if (!response.ok) throw new Error(Buffer.from(bytes).toString());
    }),
  );

/** ms that a delete of a project takes, each time of a copy of the directory. */
export const deleting = (
  bench: Bench,
  start: ServiceMessage['start'],
  project: string,
  times: number,
): Promise<Sample> =>
  rounds(times, async () => {
    const copy = join(await bench.madeFolder(), 'copy');
    await cp(start.directory, copy, { recursive: true });
    const { child, ask } = await openService({ ...start, directory: copy });
    const took = await timed(() => ask('DELETE', `/v2/projects/${project}`));
    await child.stop();
    return took;
  });
