import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDatabase } from '../../helpers/postgres/database-of-tests.ts';
import { runService, type RunningService } from '../../helpers/service/running-service.ts';
import { altered, crafted, deviceRow, idOf, NO_STATE, projectRow } from './backups.ts';

/* A sender that reads no answer before it has sent everything, as many clients do, hears why its backup was refused. */

/** More than sockets hold. */
const LARGE = Buffer.alloc(24 << 20);

let service: RunningService;
let file: Buffer;

beforeAll(async () => {
  service = await runService({}, { isAlone: true });
  const device = `devices/${idOf(2)}`;
  file = await crafted([projectRow(1), deviceRow(2, 1)], {
    [`${device}/state.json`]: NO_STATE,
    [`${device}/records.blocks`]: LARGE,
  });
});
afterAll(() => service.stop());

/** Sends all of it, then reads the answer. */
async function answered(bytes: Buffer, query: string): Promise<readonly [status: number, message: string]> {
  const { api_key } = service.service;
  const { hostname, port, host } = new URL(service.service.http_url ?? '');
  const head = [
    `POST /_local/v1/restore${query} HTTP/1.1`,
    `host: ${host}`,
    `authorization: Bearer ${api_key}`,
    'content-type: application/x-tar',
    `content-length: ${bytes.length}`,
  ];
  const socket = connect(Number(port), hostname);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    let answer = '';
    for await (const piece of socket) {
      answer += String(piece);
      if (answer.endsWith('"data":null}')) break;
    }
    const { status, message } = JSON.parse(answer.slice(answer.indexOf('{'))) as {
      readonly status: number;
      readonly message: string;
    };
    return [status, message];
  } finally {
    socket.destroy();
  }
}

describe.skipIf(inDatabase)('the sender of a backup that is refused', () => {
  test.each([
    [
      'has nothing of what is asked for',
      () => file,
      '?project_id=none',
      'project_id must be of what the backup holds',
    ],
    [
      'has nothing of it, where it is only looked at',
      () => file,
      '?project_id=none&dry_run=true',
      'project_id must be of what',
    ],
    ['is damaged further on', () => file, '', 'records.blocks'],
    [
      'is of a later Fieldbench',
      () => Buffer.from(file.toString('latin1').replace('"version":1', '"version":9'), 'latin1'),
      '',
      'The backup is of a later Fieldbench',
    ],
    ['is another file', () => LARGE.fill('timestamp,value\n'), '', 'as a tar file'],
  ])('hears that it %s', async (_what, bytes, query, says) => {
    expect(await answered(bytes(), query)).toEqual([400, expect.stringContaining(says)]);
  });

  test('hears that its rows are none', async () => {
    const other = await altered(file, 'metadata.ndjson', () => '{"table":"projects"}\n');
    expect(await answered(other, '')).toEqual([400, expect.stringContaining('The backup cannot be read')]);
  });
});
