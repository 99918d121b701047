import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { machineClock } from '#core/base/machine-clock.ts';
import { createAuthority, issueServer } from '#core/tls/make-certificates.ts';
import { askFeed, feedFile, isNewer } from '../../../../electron/shell/help/update-feed.ts';
import { checkForUpdates } from '../../../../electron/shell/help/updates.ts';
import { logged } from '../fakes.ts';

/* Against a server of this machine, over TLS, by a fetch that goes by authorities as Electron's does. */

const NAMES = { dns: ['localhost'], ips: ['127.0.0.1'] };
const PAGE = 'https://fieldbench.example/0.2.0';

let folder: string;
let server: Server;
let address: string;
let authority: string;
const trusted = getCACertificates('default');
let requests: IncomingMessage[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fieldbench-updates-'));
  const now = machineClock.wallMs();
  const made = createAuthority(NAMES, now);
  authority = made.cert;
  server = createServer(issueServer(made, NAMES, now), (request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `https://127.0.0.1:${(server.address() as AddressInfo).port}/newest.json`;
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  requests = [];
  setDefaultCACertificates([...trusted, authority]);
});

const says = (body: unknown) => {
  answer = (_request, response) => void response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

function feed(text = `# The newest version, as the lab wants it\r\n${address}\r\n`): string {
  const file = join(folder, 'fieldbench-updates.txt');
  writeFileSync(file, text);
  return file;
}

/** What a person is told, who presses a button by its number. */
async function told(version: string, { response = 0, file = feed() } = {}) {
  const boxes: { message: string; detail: string }[] = [];
  const copied: string[] = [];
  const { lines, log } = logged();
  await checkForUpdates({
    file,
    fetch,
    version,
    log,
    dialog: {
      showMessageBox: (...args: unknown[]) => {
        boxes.push(args.at(-1) as (typeof boxes)[number]);
        return Promise.resolve({ response, checkboxChecked: false });
      },
    },
    clipboard: { writeText: (text) => (copied.push(text), Promise.resolve()) },
  });
  return { ...boxes[0], copied, lines, boxes: boxes.length };
}

test('a newer version is named, with where it is; the address is copied where that is asked for', async () => {
  says({ version: '0.10.0', page: PAGE, more: 'of a later form' });
  const { message, detail, copied } = await told('0.9.1');
  expect(message).toBe('Fieldbench 0.10.0 is out.');
  expect(detail).toBe(`This is 0.9.1. The new one is at\n${PAGE}\n\nNothing was downloaded.`);
  expect(copied).toEqual([]);
  expect((await told('0.9.1', { response: 1 })).copied).toEqual([PAGE]);
  // One request, which says nothing of who asks.
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /newest.json',
    'GET /newest.json',
  ]);
  expect(requests.some(({ headers }) => 'cookie' in headers || 'authorization' in headers)).toBe(false);
});

test.each(['0.2.0', '0.1.9'])('where the feed says %s, 0.2.0 is the newest', async (version) => {
  says({ version, page: PAGE });
  const { message, detail } = await told('0.2.0');
  expect(message).toBe('Fieldbench 0.2.0 is the newest version.');
  expect(detail).toBe(`${address} says ${version}.`);
});

test.each([
  ['0.2.0', '0.1.0', true],
  ['0.10.0', '0.9.0', true],
  ['0.2.0', '0.10.0', false],
  ['1.0.0', '0.99.99', true],
  ['0.2.0', '0.2.0-beta.1', true],
  ['0.1.9', '0.2.0-beta.1', false],
])('%s beside %s: newer is %s', (found, own, expected) => {
  expect(isNewer(found, own)).toBe(expected);
});

const UNKNOWN = 'Nobody can say whether there is a newer version.';

test.each<[string, unknown, string]>([
  ['no JSON', '<html>Sign in</html>', 'answered with something else'],
  ['no version', { version: 'latest', page: PAGE }, 'answered with something else'],
  ['an address that is none of the web', { version: '9.0.0', page: 'file:///etc' }, 'something else'],
  ['more than anybody reads', `"${'x'.repeat(70_000)}"`, 'more than 65536 bytes'],
])('an answer that is %s is said in words', async (_what, body, words) => {
  says(body);
  const { message, detail, lines } = await told('0.1.0');
  expect(message).toBe(UNKNOWN);
  expect(detail).toContain(words);
  expect(detail).toContain(address);
  expect(lines).toHaveLength(1);
});

test('so are a status, another address, and a server that nobody here trusts', async () => {
  answer = (_request, response) => void response.writeHead(404).end();
  expect((await told('0.1.0')).detail).toBe(`${address} answered with 404.`);
  answer = (_request, response) => void response.writeHead(302, { location: 'http://localhost/' }).end();
  expect((await told('0.1.0')).detail).toContain('It leads to another address: name that one.');
  requests = [];
  setDefaultCACertificates([]);
  // Another name, so that no connection of before is gone on with.
  const stranger = feed(address.replace('127.0.0.1', 'localhost'));
  expect((await told('0.1.0', { file: stranger })).detail).toMatch(
    /not one that this computer trusts \(\w+\)/,
  );
  expect(requests).toEqual([]);
});

test('a server that does not answer, or is none, is not waited for long', async () => {
  answer = () => {};
  await expect(askFeed(feed(), fetch, 50)).rejects.toThrow(
    `${address} has not answered within 0.05 seconds.`,
  );
  const nobody = feed('https://127.0.0.1:9/');
  const { detail } = await told('0.1.0', { file: nobody });
  expect(detail).toMatch(/cannot be asked.*Is this computer on the network/);
});

test.each([
  ['', 'is ""'],
  ['# nothing yet\n', 'is ""'],
  ['http://updates.example.org/', 'is "http://updates.example.org/"'],
  ['updates.example.org', 'is "updates.example.org"'],
])('a file that says %j is named, and nobody is asked', async (text, words) => {
  const { message, detail } = await told('0.1.0', { file: feed(text) });
  expect(message).toBe(UNKNOWN);
  expect(detail).toContain(words);
  expect(detail).toContain('fieldbench-updates.txt');
  expect(requests).toEqual([]);
});

test('the file is beside the program, and on a Mac beside the app', () => {
  expect([
    feedFile('/opt/fieldbench/fieldbench', 'linux'),
    feedFile('C:\\Apps\\Fieldbench\\fieldbench.exe', 'win32'),
    feedFile('/Applications/Fieldbench.app/Contents/MacOS/Fieldbench', 'darwin'),
  ]).toEqual([
    '/opt/fieldbench/fieldbench-updates.txt',
    'C:\\Apps\\Fieldbench\\fieldbench-updates.txt',
    '/Applications/fieldbench-updates.txt',
  ]);
});
