import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { OwnTickets } from '#core/backend/own-tickets.ts';
import type { KeptLines } from '#core/backend/kept-lines.ts';
import { LineJournal } from '#core/disk/line-journal.ts';
import { diskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import { ask, expectRefusal, openTestDoors, type TestDoors } from './fixture.ts';

/* How a browser comes back into the console after a restart (docs/decisions.md, "A console that comes back by a key"). */

/** Lines that outlive the tickets, as a file does. */
class Kept implements KeptLines {
  lines: string[] = [];
  broken = false;
  read = () => Promise.resolve({ lines: this.lines });
  async replace(lines: Iterable<string>): Promise<void> {
    await Promise.resolve();
    if (this.broken) throw new Error('The disk is full.');
    this.lines = [...lines];
  }
  close = () => Promise.resolve();
}

const DAY = 86_400_000;
let now = 0;
let kept: Kept;
let tickets: OwnTickets;
const start = async () => (tickets = await OwnTickets.open({ lines: kept, now: () => now }));
beforeEach(async () => {
  now = 1_700_000_000_000;
  kept = new Kept();
  await start();
});

const pairOf = (namedCurve = 'P-256') => {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  const key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
  return { key, privateKey };
};
const signed = (challenge: string, key: KeyObject) =>
  sign('sha256', Buffer.from(`fieldbench console ${challenge}`), {
    key,
    dsaEncoding: 'ieee-p1363',
  }).toString('base64url');

/** A browser that was let in at a port, and comes back by its key. */
async function browser(port = 8080) {
  const admission = tickets.redeem(tickets.issue());
  if (!admission) throw new Error('not let in');
  const { key, privateKey } = pairOf();
  expect(await tickets.keep(admission.cookie, key, port)).toBe(true);
  return { ...admission, key, privateKey };
}

function comeBack(
  { cookie, privateKey }: { cookie: string; privateKey: KeyObject },
  port = 8080,
): string | null {
  const challenge = tickets.challenge(cookie, port);
  return challenge === null ? null : tickets.comeBack(cookie, port, signed(challenge, privateKey));
}

test('a browser comes back by its key alone, to its port alone, and gets a fresh secret', async () => {
  const one = await browser();
  await start();
  expect(tickets.isSecret(one.secret)).toBe(false);
  expect(tickets.isVisitor(one.cookie)).toBe(false);
  expect(tickets.isVisitor(one.cookie, 9090)).toBe(false);
  expect(tickets.isVisitor(one.cookie, 8080)).toBe(true);
  expect(comeBack(one, 9090)).toBeNull();
  const other = { ...one, privateKey: pairOf().privateKey };
  expect(comeBack(other)).toBeNull();
  const secret = comeBack(one);
  expect(tickets.isSecret(secret ?? '')).toBe(true);
  // Each tab of it asks.
  const [first, second] = [
    tickets.challenge(one.cookie, 8080) ?? '',
    tickets.challenge(one.cookie, 8080) ?? '',
  ];
  for (const challenge of [second, first])
    expect(tickets.comeBack(one.cookie, 8080, signed(challenge, one.privateKey))).not.toBeNull();
});

test('a signature is good once and within a minute, and for nothing else', async () => {
  const one = await browser();
  await start();
  const challenge = tickets.challenge(one.cookie, 8080) ?? '';
  const signature = signed(challenge, one.privateKey);
  expect(tickets.comeBack(one.cookie, 8080, `${signature}AAAA`)).toBeNull();
  expect(tickets.comeBack(one.cookie, 8080, '')).toBeNull();
  expect(tickets.comeBack('someone', 8080, signature)).toBeNull();
  expect(tickets.comeBack(one.cookie, 8080, signature)).not.toBeNull();
  expect(tickets.comeBack(one.cookie, 8080, signature)).toBeNull();
  const late = tickets.challenge(one.cookie, 8080) ?? '';
  now += 60_000;
  expect(tickets.comeBack(one.cookie, 8080, signed(late, one.privateKey))).toBeNull();
});

test('who opens no window for a week is not let back in; who does is, from then on for a week', async () => {
  const one = await browser();
  now += 6 * DAY;
  expect(tickets.isSecret(one.secret)).toBe(true);
  await tickets.close();
  now += 6 * DAY;
  await start();
  expect(comeBack(one)).not.toBeNull();
  now += 7 * DAY;
  expect(comeBack(one)).toBeNull();
  await start();
  expect(tickets.isVisitor(one.cookie, 8080)).toBe(false);
  expect(comeBack(one)).toBeNull();
});

test('what is kept opens nothing, and whoever signs out is not let back in', async () => {
  const [one, two] = [await browser(), await browser()];
  const text = JSON.stringify(kept.lines);
  for (const secret of [one.cookie, one.secret, two.cookie, two.secret]) expect(text).not.toContain(secret);
  await tickets.signOut(one.cookie, '');
  expect([tickets.isVisitor(one.cookie, 8080), tickets.isSecret(one.secret)]).toEqual([false, false]);
  await start();
  expect([comeBack(one), comeBack(two) !== null]).toEqual([null, true]);
  await tickets.signOut('', comeBack(two) ?? '');
  await start();
  expect(comeBack(two)).toBeNull();
});

test('keys of another kind, sessions of nobody and damaged lines are left out', async () => {
  const { cookie } = tickets.redeem(tickets.issue()) ?? { cookie: '' };
  for (const key of ['', 'AAAA', pairOf('P-384').key])
    expect(await tickets.keep(cookie, key, 8080)).toBe(false);
  expect(await tickets.keep('someone', pairOf().key, 8080)).toBe(false);
  const one = await browser();
  kept.lines = ['{}', '[]', '["00","x",1,1]', ...kept.lines];
  await start();
  expect(comeBack(one)).not.toBeNull();
});

test('where the disk is full the session ends with the service, and a sign-out says that it did not hold', async () => {
  const one = await browser();
  kept.broken = true;
  const { cookie } = tickets.redeem(tickets.issue()) ?? { cookie: '' };
  await expect(tickets.keep(cookie, pairOf().key, 8080)).rejects.toThrow('full');
  await expect(tickets.signOut(one.cookie, one.secret)).rejects.toThrow('full');
  expect(tickets.isSecret(one.secret)).toBe(true);
});

test('a sign-out that a full disk kept from being written down holds once it is said again', async () => {
  const one = await browser();
  kept.broken = true;
  await expect(tickets.signOut(one.cookie, one.secret)).rejects.toThrow('full');
  kept.broken = false;
  await tickets.signOut(one.cookie, one.secret);
  expect(tickets.isSecret(one.secret)).toBe(false);
  await start();
  expect(comeBack(one)).toBeNull();
});

test('a browser whose window stays open stays signed in, however long that is', async () => {
  const [one, two] = [await browser(), await browser()];
  for (let day = 0; day < 10; day++) {
    now += DAY;
    expect(tickets.holding([one.secret, 'nobody'])).toEqual(new Set([one.secret]));
  }
  await tickets.close();
  await start();
  expect([comeBack(one) !== null, comeBack(two)]).toEqual([true, null]);
});

/** What a page sends that a link has let in. */
async function enter({ port, doors }: TestDoors) {
  const origin = `http://127.0.0.1:${port}`;
  const link = new URL((await doors.console_url()) ?? 'none');
  const entered = await ask(port, 'GET', link.pathname + link.search);
  const secret = entered.headers.location?.split('=')[1] ?? '';
  const cookie = entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { cookie, origin, 'x-fieldbench-let-in': secret };
}

test('over HTTP: a disk that is full is said as any other write says it, and the page stays in', async () => {
  let isFull = false;
  const disk = diskFiles(new Disk(), (_, what) => (isFull && what === 'grow' ? 'ENOSPC' : null));
  const journal = new LineJournal({ path: '/sessions', files: disk, word: 'sessions', version: 1 });
  const own = await OwnTickets.open({ lines: journal });
  const doors = await openTestDoors({ rendererDirectory: import.meta.dirname }, { tickets: own });
  const headers = { ...(await enter(doors)), 'x-fieldbench-browser-key': pairOf().key };
  const say = (method: string, path = '') => ask(doors.port, method, `/console/session${path}`, { headers });
  const full = /^The disk is full: nothing was changed\. Free some space and try again\. \(error [-\w]+\)$/;

  isFull = true;
  const refused = await say('POST', '/key');
  expectRefusal(refused, 500, full);
  expect(refused.envelope.action).toBe('keep session');
  expect((await say('GET')).status).toBe(204);
  isFull = false;
  expect(JSON.parse((await say('POST', '/key')).text)).toEqual({ kept: true });

  isFull = true;
  expectRefusal(await say('POST', '/end'), 500, full);
  isFull = false;
  expect((await say('POST', '/end')).status).toBe(204);
  await doors.close();
  expect((await journal.read()).lines).toEqual([]);
});

test('over HTTP: let in by the link, back by the key at this machine’s own address, out for good', async () => {
  let doors: TestDoors = await openTestDoors({ rendererDirectory: import.meta.dirname }, { tickets });
  const { port } = doors;
  const { key, privateKey } = pairOf();
  const headers = { ...(await enter(doors)), 'x-fieldbench-browser-key': key };
  const post = (path: string, more: Record<string, string> = {}) =>
    ask(port, 'POST', `/console/session${path}`, { headers: { ...headers, ...more } });
  const look = (more: Record<string, string> = {}) =>
    ask(port, 'GET', '/console/session', { headers: { ...headers, ...more } });

  expect((await look()).status).toBe(204);
  const wrong: Record<string, string>[] = [
    { cookie: '' },
    { 'x-fieldbench-let-in': 'x' },
    // Pages of elsewhere.
    { origin: 'http://127.0.0.1:1' },
  ];
  for (const way of wrong) expect((await post('/key', way)).status, JSON.stringify(way)).toBe(403);
  // By a balancer or a tunnel it is not this machine's own address.
  const tunnel = {
    host: 'localhost:1',
    origin: 'http://localhost:1',
    cookie: headers.cookie.replace(/_\d+=/, '_1='),
  };
  const passedOn: Record<string, string>[] = [{ 'x-forwarded-for': '192.0.2.7' }, tunnel];
  for (const way of passedOn) expect(JSON.parse((await post('/key', way)).text)).toEqual({ kept: false });
  expect(JSON.parse((await post('/key')).text)).toEqual({ kept: true });
  await doors.close();

  await start();
  doors = await openTestDoors({ rendererDirectory: import.meta.dirname, port }, { tickets });
  const asked = await look();
  expect([asked.status, asked.headers['cache-control']]).toEqual([200, 'no-store']);
  expect((await look({ 'x-forwarded-for': '192.0.2.7' })).status).toBe(403);
  const { challenge } = JSON.parse(asked.text) as { readonly challenge: string };
  const signature = signed(challenge, privateKey);
  expect((await post('', { 'x-fieldbench-signature': 'x' })).status).toBe(403);
  const back = await post('', { 'x-fieldbench-signature': signature });
  expect(back.status).toBe(200);
  const { secret: fresh } = JSON.parse(back.text) as { readonly secret: string };
  expect((await look({ 'x-fieldbench-let-in': fresh })).status).toBe(204);

  const ended = await post('/end', { 'x-fieldbench-let-in': fresh });
  expect([ended.status, ended.headers['set-cookie']?.[0]]).toEqual([
    204,
    expect.stringMatching(/^fieldbench_console_\d+=; HttpOnly; SameSite=Strict; Path=\/console; Max-Age=0$/),
  ]);
  expect((await look({ 'x-fieldbench-let-in': fresh })).status).toBe(403);
  await start();
  expect((await look()).status).toBe(403);
  await doors.close();
});
