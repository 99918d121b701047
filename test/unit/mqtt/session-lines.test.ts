import { expect, test } from 'vitest';
import {
  lineText,
  queuedLine,
  readLines,
  retainedLine,
  sessionLine,
  type SessionLine,
} from '#core/mqtt/sessions/session-lines.ts';
import { Room } from '#core/mqtt/sessions/room.ts';
import { Session } from '#core/mqtt/sessions/session.ts';
import { weightOf, type Message } from '#core/mqtt/sessions/message.ts';

const room = () => new Room(1_000_000);
const session = () => new Session({ uid: 'u', device: 'pump', clientId: 'c', expiry: 60 }, room());
const message: Message = {
  topic: 'pump',
  payload: Buffer.from('{"t":1}'),
  qos: 2,
  retain: false,
  properties: {
    correlationData: Buffer.from([0, 255]),
    userProperties: { a: ['1', '2'], b: 'ü' },
    contentType: 'application/json',
  },
  expiresAt: null,
  at: 0,
  times: null,
  from: null,
};
const queued = (n: number) =>
  ({
    n,
    message,
    qos: 2,
    retain: false,
    subscriptionIds: [7],
    isReady: true,
    isSent: false,
    isReceived: false,
  }) as const;

function read(...lines: SessionLine[]): Session {
  const { sessions, unread } = readLines(lines.map(lineText), room());
  expect(unread).toBe(0);
  const found = sessions.get('u');
  if (found === undefined) throw new Error('No session');
  return found;
}

test('numbers of what is over are never given again: the record store and receivers remember them', () => {
  const found = read(
    sessionLine(session()),
    { is: 'receiving', uid: 'u', id: 9, n: 1, isHandedOn: false, digest: null },
    { is: 'released', uid: 'u', id: 9 },
    queuedLine('u', queued(1)),
    { is: 'delivered', uid: 'u', n: 1 },
  );
  expect(found.receiving.size).toBe(0);
  expect(found.waiting).toEqual([]);
  expect([found.lastReceived, found.lastDelivery]).toEqual([1, 1]);
});

test('a message comes back as it was, and was sent only where its client was there to be sent it', () => {
  const away = session();
  away.awaySince = 1;
  const there = session();
  const sentOf = (...lines: SessionLine[]) => read(...lines).waiting.map(({ isSent }) => isSent);
  const found = read(sessionLine(away), queuedLine('u', queued(3)));
  expect(found.waiting).toEqual([{ ...queued(3), held: expect.any(Number) }]);
  expect(sentOf(sessionLine(there), queuedLine('u', queued(3)))).toEqual([true]);
  expect(sentOf(sessionLine(away), queuedLine('u', queued(3)), sessionLine(there))).toEqual([true]);
  // Written anew while it was away.
  const anew = { ...queued(3), isSent: true };
  expect(sentOf(sessionLine(away), queuedLine('u', anew), queuedLine('u', queued(4)))).toEqual([true, false]);
  // A line of an older service says nothing of it.
  const { isSent: _, ...older } = queuedLine('u', queued(3)) as Extract<SessionLine, { is: 'queued' }>;
  expect(sentOf(sessionLine(away), older as SessionLine)).toEqual([true]);
});

test('what came by the moment in which records went is forgotten, and nothing else', () => {
  const at = (n: number, ms: number | null) =>
    queuedLine('u', { ...queued(n), message: { ...message, at: ms } });
  const lines = [sessionLine(session()), at(1, 10), at(2, 20), at(3, 30), at(4, null)];
  const left = (line: SessionLine) => read(...lines, line).waiting.map(({ n }) => n);
  expect(left({ is: 'forgotten', device: 'pump', before: 20 })).toEqual([3, 4]);
  expect(left({ is: 'forgotten', device: 'pump' })).toEqual([]);
  expect(left({ is: 'forgotten', device: 'valve' })).toEqual([1, 2, 3, 4]);
});

test('what its receiver has is only to be released', () => {
  const found = read(sessionLine(session()), queuedLine('u', queued(3)), { is: 'received', uid: 'u', n: 3 });
  expect(found.waiting).toEqual([]);
  expect([...found.unconfirmed.keys()]).toEqual([3]);
});

test('what was kept is there also where there is more of it than would be taken now', () => {
  const lines = [
    sessionLine(session()),
    queuedLine('u', queued(1)),
    queuedLine('u', queued(2)),
    retainedLine('pump', message),
  ];
  const small = new Room(10);
  const { sessions, retained } = readLines(lines.map(lineText), small);
  expect(sessions.get('u')?.waiting.map(({ n }) => n)).toEqual([1, 2]);
  expect(retained.get('pump')).toMatchObject({ payload: message.payload });
  // It is counted nevertheless, until it is gone.
  expect(small.take('other', 1)).toBe(false);
  // What is not counted, as that for a client which is there, needs none.
  expect(small.take('pump', 0)).toBe(true);
  sessions.get('u')?.end();
  small.give('pump', weightOf(message));
  expect(small.take('other', 10)).toBe(true);
});

test('lines twice are lines once', () => {
  const lines = [sessionLine(session()), queuedLine('u', queued(3)), queuedLine('u', queued(4))];
  expect(read(...lines, ...lines).waiting.map(({ n }) => n)).toEqual([3, 4]);
});

test('lines of a session that has ended, or never was, mean nothing', () => {
  const { sessions } = readLines(
    [
      sessionLine(session()),
      { is: 'ended', uid: 'u' } as const,
      queuedLine('u', queued(3)),
      queuedLine('v', queued(1)),
    ].map(lineText),
    room(),
  );
  expect(sessions.size).toBe(0);
});

test('what is no line is counted', () => {
  expect(readLines(['{}', 'no JSON', '{"is":"ended"}'], room()).unread).toBe(3);
});
