import { beforeEach, describe, expect, test } from 'vitest';
import { diskFiles, type DiskFiles } from '../../faults/disk-files.ts';
import { Disk } from '../../faults/disk.ts';
import type { Attempt, Fault } from '../../faults/failing-files.ts';
import { journalOn, messageOf, openSessions, subscriptionTo, type KeptSessions } from './kept-sessions.ts';

/* What a client that comes back finds again, after the service was killed at any moment. */

let disk: Disk;
let files: DiskFiles;
let failing: Partial<Record<Attempt, Fault>>;
let kept: KeptSessions;

beforeEach(async () => {
  disk = new Disk();
  failing = {};
  files = diskFiles(disk, (_, what) => failing[what] ?? null);
  kept = await openSessions(files);
});

/** What the next process finds: nothing was said to this one. */
const killed = () => openSessions(diskFiles(disk));

const publish = ({ hub }: KeptSessions, text: string, more: Parameters<typeof messageOf>[2] = {}) =>
  hub.publish(messageOf('d', text, more), null);

describe('a session of a client', () => {
  test('is there with its subscriptions and what waits for it, in order', async () => {
    const session = await kept.connect('d', 'c');
    await kept.hub.subscribe(session, [
      { subscription: { ...subscriptionTo('#', 1), id: 5, noLocal: true }, retainHandling: 0 },
    ]);
    for (const text of ['a', 'b', 'c']) await publish(kept, text);
    const again = await (await killed()).connect('d', 'c');
    expect(again.uid).toBe(session.uid);
    expect([...again.subscriptions.values()]).toEqual([...session.subscriptions.values()]);
    expect(again.waiting.map(({ n, message }) => [n, message.payload.toString()])).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, 'c'],
    ]);
  });

  test('never gives a number of a QoS 2 message to another one', async () => {
    const session = await kept.connect('d', 'c');
    for (const n of [1, 2]) {
      session.lastReceived = n;
      await kept.log.receiving(session, 7, { n, isHandedOn: false, digest: null });
      await kept.log.released(session, 7);
    }
    const next = await killed();
    expect((await next.connect('d', 'c')).lastReceived).toBe(2);
    // Nor after all was written anew.
    expect((await (await killed()).connect('d', 'c')).lastReceived).toBe(2);
  });

  test('never gives a number of a delivery to another one', async () => {
    const session = await kept.connect('d', 'c');
    await kept.hub.subscribe(session, [{ subscription: subscriptionTo('d'), retainHandling: 0 }]);
    await publish(kept, 'a');
    const queued = session.dequeue()!;
    session.confirm(1);
    kept.log.delivered(session, queued);
    await kept.log.kept(await kept.connect('d', 'other'));
    const again = await killed();
    const found = await again.connect('d', 'c');
    expect(found.waiting).toEqual([]);
    await publish(again, 'b');
    expect(found.waiting.map(({ n }) => n)).toEqual([2]);
  });

  test('that has ended is gone, with all that waited for it', async () => {
    const session = await kept.connect('d', 'c');
    await kept.hub.subscribe(session, [{ subscription: subscriptionTo('d'), retainHandling: 0 }]);
    await publish(kept, 'a');
    await kept.hub.changeExpiry(session, 0);
    expect((await killed()).lines()).toEqual([]);
  });

  test('has what it has received only to be released', async () => {
    const session = await kept.connect('d', 'c');
    await kept.hub.subscribe(session, [{ subscription: subscriptionTo('d'), retainHandling: 0 }]);
    await publish(kept, 'a');
    await publish(kept, 'b');
    const queued = session.dequeue()!;
    queued.isReceived = true;
    await kept.log.received(session, queued);
    const found = await (await killed()).connect('d', 'c');
    expect([...found.unconfirmed.keys()]).toEqual([1]);
    expect(found.waiting.map(({ n }) => n)).toEqual([2]);
  });

  test('has no message of a device whose records went', async () => {
    const session = await kept.connect('d', 'c');
    await kept.hub.subscribe(session, [{ subscription: subscriptionTo('d'), retainHandling: 0 }]);
    await publish(kept, 'a', { retain: true });
    await kept.hub.forgetMessages('d', await kept.hub.messagesOf('d'));
    await publish(kept, 'b');
    const again = await killed();
    const found = await again.connect('d', 'c');
    expect(found.waiting.map(({ message }) => message.payload.toString())).toEqual(['b']);
    expect(again.lines().filter((line) => line.includes('retained'))).toEqual([]);
  });
});

describe('a disk that fails', () => {
  test('loses nothing that was kept, and keeps again once it can', async () => {
    const session = await kept.connect('d', 'c');
    await kept.hub.subscribe(session, [{ subscription: subscriptionTo('d'), retainHandling: 0 }]);
    for (const fault of ['ENOSPC', 'short', 'EIO'] as const) {
      await publish(kept, `before ${fault}`);
      failing = fault === 'EIO' ? { sync: 'EIO' } : { grow: fault };
      // It goes to who is there, and whoever can hears that it is not kept.
      await publish(kept, `during ${fault}`);
      expect(kept.failures.splice(0)).toMatchObject([{ code: fault === 'EIO' ? 'io' : 'disk-full' }]);
      failing = {};
      await publish(kept, `after ${fault}`);
      const found = await (await killed()).connect('d', 'c');
      const texts = found.waiting.map(({ message }) => message.payload.toString());
      expect(texts).toEqual(expect.arrayContaining([`before ${fault}`, `after ${fault}`]));
      expect(new Set(texts).size).toBe(texts.length);
      // Two services have one journal here: the one that was not killed writes all of it anew.
      await kept.log.renew();
    }
  });

  test('refuses a session that it cannot keep', async () => {
    failing = { grow: 'ENOSPC' };
    await expect(kept.connect('d', 'c')).rejects.toMatchObject({ code: 'disk-full' });
    failing = {};
    await kept.connect('d', 'c');
    expect((await killed()).lines()).toHaveLength(1);
  });
});

test('a journal that has become long is written anew, and then holds what is true', async () => {
  const session = await kept.connect('d', 'c');
  await kept.hub.subscribe(session, [{ subscription: subscriptionTo('d', 1), retainHandling: 0 }]);
  const payload = 'x'.repeat(60_000);
  for (let n = 1; n <= 40; n++) {
    await publish(kept, payload);
    const queued = session.dequeue()!;
    session.confirm(n);
    kept.log.delivered(session, queued);
  }
  await kept.log.close();
  const { lines } = await journalOn(diskFiles(disk)).read();
  expect(lines.length).toBeLessThan(40);
  expect(files.trace.filter(({ kind }) => kind === 'rename').length).toBeGreaterThan(1);
  expect((await (await killed()).connect('d', 'c')).waiting).toEqual([]);
});
