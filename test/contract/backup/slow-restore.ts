import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { openBackend } from '#core/service/open-backend.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { dataOf } from '../world.ts';

/* Restores that take as long as a test wants. */

/** Parts of a service whose store does something before it puts records back. */
export const broken = (before: () => Promise<void>): Parameters<typeof runService>[1] => ({
  async open(options) {
    const backend = await openBackend(options);
    const restore = backend.records.restore.bind(backend.records);
    backend.records.restore = async (...of) => {
      await before();
      return restore(...of);
    };
    return backend;
  },
});

/** Parts of a service that count how often restores have put records aside: those are compared by then, and lack. */
export function countingStaged() {
  const staged = { times: 0 };
  const parts: Parameters<typeof runService>[1] = {
    async open(options) {
      const backend = await openBackend(options);
      const { backup } = backend;
      if (backup === null) return backend;
      const stage = backup.stage.bind(backup);
      backup.stage = async (...of) => {
        const records = await stage(...of);
        const add = records.add.bind(records);
        records.add = async (some) => {
          await add(some);
          staged.times++;
        };
        return records;
      };
      return backend;
    },
  };
  return { staged, parts };
}

export async function runningJobs(of: RunningService): Promise<readonly string[]> {
  const jobs = (await dataOf(of, 'GET', '/_local/v1/jobs')) as unknown as readonly { kind: string }[];
  return jobs.map(({ kind }) => kind);
}

/** Sends all of a file but its last bytes, which are nothing but its end. */
export function sendSlowly({ service }: RunningService, file: Buffer) {
  const { http_url, api_key } = service;
  const rest = 1024;
  const answered = Promise.withResolvers<string>();
  const sending = request(`${http_url}/_local/v1/restore`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${api_key}`,
      'content-type': 'application/x-tar',
      'content-length': file.length,
    },
  });
  sending.on('response', (answer) => void text(answer).then(answered.resolve, answered.reject));
  // It is cut off on purpose.
  sending.on('error', () => {});
  sending.write(file.subarray(0, -rest));
  return {
    cutOff: () => void sending.destroy(),
    end: () => {
      sending.end(file.subarray(-rest));
      return answered.promise;
    },
  };
}
