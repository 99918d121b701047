import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startLab, type Lab } from '../../helpers/lab/lab.ts';
import { hasPostgres, type Postgres } from '../../helpers/postgres/postgres.ts';
import { sharedPostgres } from '../../helpers/postgres/shared-postgres.ts';
import { openDatabase } from '#core/store/postgres/connection/connections.ts';

/* A browser at a balancer, which passes each request on to any of three services (docs/lab.md). */

const HOST = 'lab.example.org';

describe.skipIf(!hasPostgres)('a browser at a balancer in front of three services', () => {
  let postgres: Postgres;
  let lab: Lab;
  let renderer: string;

  beforeAll(async () => {
    postgres = await sharedPostgres();
    renderer = await mkdtemp(join(tmpdir(), 'fieldbench-renderer-'));
    await writeFile(join(renderer, 'index.html'), '<!doctype html><title>The app</title>');
    lab = await startLab(postgres, 0);
    for (let i = 0; i < 3; i++)
      await lab.start({ publicUrl: `https://${HOST}`, rendererDirectory: renderer });
  });
  afterAll(async () => {
    await lab.stop();
    await rm(renderer, { recursive: true });
  });

  const at = (n: number) => lab.services[n % 3]!.service;
  const portOf = (n: number) => Number(new URL(at(n).http_url ?? '').port);

  /** A request that came to the balancer, as the service gets it that it was passed on to. */
  async function get(n: number, path: string, headers: Record<string, string> = {}) {
    const asked = request({
      host: '127.0.0.1',
      port: portOf(n),
      path,
      headers: { host: HOST, ...headers },
      agent: false,
    }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  }

  /** Where the link of a service leads, below the balancer's address. */
  async function linkOf(n: number): Promise<string> {
    const { origin, pathname, search } = new URL((await at(n).console_url()) ?? '');
    expect(origin).toBe(`https://${HOST}`);
    return pathname + search;
  }

  /** Opens a link; null where it lets nobody in. */
  async function letIn(n: number, link: string) {
    const { headers } = await get(n, link);
    const secret = /#let-in=([\w-]{43})$/.exec(headers.location ?? '')?.[1];
    const cookie = headers['set-cookie']?.[0]?.split(';')[0];
    return secret === undefined || cookie === undefined ? null : { cookie, secret };
  }

  /** What becomes of a window: 'open', or the status with which it is refused. */
  async function windowAt(
    n: number,
    { cookie, secret }: { readonly cookie: string; readonly secret: string },
  ) {
    const socket = new WebSocket(
      `ws://127.0.0.1:${portOf(n)}/console/socket`,
      ['fieldbench', `let-in.${secret}`],
      {
        headers: { host: HOST, origin: `https://${HOST}`, cookie },
      },
    );
    const [, refused] = (await Promise.race([once(socket, 'open'), once(socket, 'unexpected-response')])) as [
      unknown,
      IncomingMessage | undefined,
    ];
    refused?.resume();
    socket.close();
    return refused?.statusCode ?? 'open';
  }

  test.each([0, 1, 2])('is let in by a link of any of them (%i), and stays in at all', async (n) => {
    const visitor = await letIn(n + 1, await linkOf(n));
    expect(visitor).not.toBeNull();
    if (visitor === null) return;
    for (let other = 0; other < 3; other++) {
      expect((await get(other, '/console/', { cookie: visitor.cookie })).statusCode).toBe(200);
      expect(await windowAt(other, visitor)).toBe('open');
    }
  });

  test('is let in once by a link, however many open it at once', async () => {
    const link = await linkOf(0);
    const visitors = await Promise.all([0, 1, 2, 0, 1, 2].map((n) => letIn(n, link)));
    expect(visitors.filter((visitor) => visitor !== null)).toHaveLength(1);
    expect((await get(1, link)).statusCode).toBe(403);
  });

  test('finds a link and its cookie expired by the clock of the database', async () => {
    const link = await linkOf(0);
    const visitor = await letIn(1, await linkOf(1));
    const database = await openDatabase({ url: lab.url });
    await database.ask('UPDATE ticket SET until = now()');
    await database.close();
    expect(await letIn(2, link)).toBeNull();
    expect((await get(0, '/console/', { cookie: visitor?.cookie ?? '' })).statusCode).toBe(403);
    expect(await windowAt(2, visitor ?? { cookie: '', secret: '' })).toBe(403);
  });
});
