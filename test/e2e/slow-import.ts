import { request } from 'node:http';
import type { Ready } from './program.ts';
import type { DeviceIds } from './steps/steps.ts';

interface SlowImport {
  /** The service's answer, whenever it comes. */
  readonly answer: Promise<{ readonly status: number }>;
  /** Sends the rest. */
  finish(): void;
}

/** An import by a script that sends the first half of its file and then waits. */
export function slowImport({ http_url, api_key }: Ready, { project_id, device_id }: DeviceIds): SlowImport {
  const half = Array.from({ length: 5_000 }, (_, n) => `${JSON.stringify({ timestamp: n, n })}\n`).join('');
  const sent = request(
    `${http_url}/_local/v1/projects/${project_id}/devices/${device_id}/records?format=ndjson`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api_key}`,
        'content-type': 'application/x-ndjson',
        'content-length': 2 * half.length,
      },
    },
  );
  const answer = new Promise<{ status: number }>((resolve) => {
    sent.on('response', (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
    sent.on('error', () => resolve({ status: 0 }));
  });
  sent.write(half);
  return { answer, finish: () => void sent.end(half) };
}
