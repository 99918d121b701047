import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { createServer as createTcp, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { Reach } from '#core/acts/reach.ts';
import { sendWebhook } from '#core/acts/webhook.ts';
import type { KeyPair } from '#core/tls/certificates.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

interface Heard {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly key: unknown;
  readonly credentials: unknown;
  readonly body: string;
}

/** A server that answers by the path; over TLS where it has a certificate. */
async function serve(answer: (asked: IncomingMessage, answered: ServerResponse) => void, pair?: KeyPair) {
  const heard: Heard[] = [];
  const take = (asked: IncomingMessage, answered: ServerResponse) => {
    void (async () => {
      const body = await buffer(asked);
      const { method, url: path, headers } = asked;
      heard.push({
        method,
        path,
        key: headers['idempotency-key'],
        credentials: headers.authorization,
        body: String(body),
      });
      answer(asked, answered);
    })();
  };
  const server = pair === undefined ? createServer(take) : createHttps(pair, take);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => void (server.closeAllConnections(), server.close()) });
  return { heard, port: (server.address() as AddressInfo).port };
}

const HOOK = { key: 'a/0/raised', body: '{"a":1}' };
const allowed = { reach: new Reach(['127.0.0.1']) };

test('is done once it is answered 2xx, and has its key and body', async () => {
  const { heard, port } = await serve((_, answered) => answered.writeHead(204).end());
  await sendWebhook({ ...HOOK, url: `http://127.0.0.1:${port}/hook?x=1` }, allowed);
  expect(heard).toEqual([
    { method: 'POST', path: '/hook?x=1', key: HOOK.key, credentials: undefined, body: HOOK.body },
  ]);
});

test('redirects of 307 and 308 are followed with the body, each judged; the others are refused in words', async () => {
  const { heard, port } = await serve(({ url = '' }, answered) => {
    const [, status, ...rest] = url.split('/');
    if (status === 'done') answered.writeHead(200).end('x'.repeat(200_000));
    else answered.writeHead(Number(status), { Location: `/${rest.join('/')}` }).end();
  });
  const at = (path: string) => sendWebhook({ ...HOOK, url: `http://127.0.0.1:${port}/${path}` }, allowed);
  await at('307/308/done');
  expect(heard.map(({ body }) => body)).toEqual([HOOK.body, HOOK.body, HOOK.body]);
  await at('307/307/307/307/307/done');
  await expect(at('307/307/307/307/307/307/done')).rejects.toThrow('more than 5 times');
  for (const status of [301, 302, 303]) await expect(at(`${status}/done`)).rejects.toThrow('would be lost');
  await expect(at('500/done')).rejects.toThrow('answered 500');
});

test.each(['http://[::1]', 'http://127.2', 'http://0x7f000003', 'http://[::ffff:127.0.0.9]'])(
  'a redirect to %s reaches nobody',
  async (to) => {
    const target = await serve((_, answered) => answered.end());
    const { port } = await serve((_, answered) =>
      answered.writeHead(308, { Location: `${to}:${target.port}/` }).end(),
    );
    await expect(sendWebhook({ ...HOOK, url: `http://127.0.0.1:${port}/` }, allowed)).rejects.toThrow(
      'webhook_hosts',
    );
    expect(target.heard).toEqual([]);
  },
);

test.each(['http://127.0.0.1', 'http://localhost', 'http://127.1', 'http://[::1]', 'http://0.0.0.0'])(
  '%s is reached by nobody whom no administrator allows',
  async (url) => {
    const { heard, port } = await serve((_, answered) => answered.end());
    await expect(sendWebhook({ ...HOOK, url: `${url}:${port}/` }, { reach: new Reach([]) })).rejects.toThrow(
      'webhook_hosts',
    );
    expect(heard).toEqual([]);
  },
);

test('a name of this machine with the point that ends it is reached as little', async () => {
  const { heard, port } = await serve((_, answered) => answered.end());
  const find = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  const sent = sendWebhook(
    { ...HOOK, url: `http://localhost.:${port}/` },
    { reach: new Reach([], { find }) },
  );
  await expect(sent).rejects.toThrow('webhook_hosts');
  expect(heard).toEqual([]);
});

test('a name goes to the address that was judged', async () => {
  const { heard, port } = await serve((_, answered) => answered.end());
  const find = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  await sendWebhook(
    { ...HOOK, url: `http://hooks.example:${port}/` },
    { reach: new Reach(['127.0.0.0/8'], { find }) },
  );
  expect(heard).toHaveLength(1);
});

test('credentials in an address, other protocols and https to http are refused', async () => {
  const { heard, port } = await serve((_, answered) =>
    answered.writeHead(308, { Location: `http://a:b@127.0.0.1:${port}/` }).end(),
  );
  const to = (url: string) => sendWebhook({ ...HOOK, url }, allowed);
  await expect(to(`http://a:b@127.0.0.1:${port}/`)).rejects.toThrow('user name');
  await expect(to('ftp://127.0.0.1/')).rejects.toThrow('none of http');
  expect(heard).toEqual([]);
  await expect(to(`http://127.0.0.1:${port}/`)).rejects.toThrow('user name');
});

test('one that does not answer is given up, one that takes no connection too, and a stop ends it', async () => {
  const sockets: Socket[] = [];
  const silent = createTcp((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  open.push({ close: () => void (sockets.forEach((each) => each.destroy()), silent.close()) });
  const { port } = silent.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  await expect(sendWebhook({ ...HOOK, url }, { ...allowed, deadlineMs: 100 })).rejects.toThrow(
    'within 0.1 s',
  );
  const stop = new AbortController();
  const sending = sendWebhook({ ...HOOK, url }, { ...allowed, signal: stop.signal });
  stop.abort();
  await expect(sending).rejects.toThrow();
  const gone = await serve(() => undefined);
  open.pop()?.close();
  await expect(sendWebhook({ ...HOOK, url: `http://127.0.0.1:${gone.port}/` }, allowed)).rejects.toThrow(
    'Nothing takes',
  );
});

const NAMES = { dns: ['hooks.lan'], ips: ['127.0.0.1'] };
const authority = createAuthority(NAMES, Date.now());

test('over TLS one goes to whom a trusted authority names by its address, and to nobody else', async () => {
  const named = issueServer(authority, NAMES, Date.now());
  const { heard, port } = await serve((_, answered) => answered.end(), named);
  const hook = { ...HOOK, url: `https://127.0.0.1:${port}/` };
  await expect(sendWebhook(hook, allowed)).rejects.toThrow('NODE_EXTRA_CA_CERTS');
  expect(heard).toEqual([]);
  await sendWebhook(hook, { ...allowed, ca: [authority.cert] });
  expect(heard).toHaveLength(1);
  const other = issueServer(authority, { dns: ['hooks.lan'], ips: [] }, Date.now());
  const elsewhere = await serve((_, answered) => answered.end(), other);
  const wrong = { ...HOOK, url: `https://127.0.0.1:${elsewhere.port}/` };
  await expect(sendWebhook(wrong, { ...allowed, ca: [authority.cert] })).rejects.toThrow('for another name');
  expect(elsewhere.heard).toEqual([]);
});

test('one over TLS that redirects to plain text, or to whom nobody trusts, is not followed', async () => {
  const plain = await serve((_, answered) => answered.end());
  const stranger = await serve(
    (_, answered) => answered.end(),
    issueServer(createAuthority(NAMES, Date.now()), NAMES, Date.now()),
  );
  let to = '';
  const { port } = await serve(
    (_, answered) => answered.writeHead(308, { Location: to }).end(),
    issueServer(authority, NAMES, Date.now()),
  );
  const sent = () =>
    sendWebhook({ ...HOOK, url: `https://127.0.0.1:${port}/` }, { ...allowed, ca: [authority.cert] });
  to = `http://127.0.0.1:${plain.port}/`;
  await expect(sent()).rejects.toThrow('https:// to http://');
  to = `https://127.0.0.1:${stranger.port}/`;
  await expect(sent()).rejects.toThrow('NODE_EXTRA_CA_CERTS');
  expect([plain.heard, stranger.heard]).toEqual([[], []]);
});

test('a server that speaks no TLS where it is asked for is told nothing', async () => {
  const { heard, port } = await serve((_, answered) => answered.end());
  await expect(sendWebhook({ ...HOOK, url: `https://127.0.0.1:${port}/` }, allowed)).rejects.toThrow(
    'does not speak TLS',
  );
  expect(heard).toEqual([]);
});
