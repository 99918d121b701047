import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeVerified } from '#core/cli/ask/write-verified.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fieldbench-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a file whose service dies in the midst of it leaves nothing, and says that the connection was lost', async () => {
  const server = createServer((_request, response) => {
    response.write('half of it', () => response.socket?.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const { port } = server.address() as AddressInfo;
    const [bytes] = (await once(get({ port, host: '127.0.0.1' }), 'response')) as [IncomingMessage];
    const coming = { bytes, name: 'p', state: '', from: 0, total: null };
    const how = {
      verify: () => Promise.reject(new Error('nothing is to be verified')),
      flags: {},
      failed: 'The package could not be made',
    };
    await expect(writeVerified(join(folder, 'p.zip'), coming, how)).rejects.toThrow(
      /^The package could not be made, and nothing of it was kept: the connection to the service was lost before its end\..* Ask again\.$/,
    );
    expect(await readdir(folder)).toEqual([]);
  } finally {
    server.close();
  }
});
