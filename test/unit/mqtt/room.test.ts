import { expect, test } from 'vitest';
import { MOST_UNCOUNTED } from '#core/mqtt/limits.ts';
import type { Delivery, Message } from '#core/mqtt/sessions/message.ts';
import { Room } from '#core/mqtt/sessions/room.ts';
import { Session } from '#core/mqtt/sessions/session.ts';

const message = (bytes: number): Message => ({
  topic: 'pump',
  payload: Buffer.alloc(bytes),
  qos: 1,
  retain: false,
  properties: {},
  expiresAt: null,
  at: 0,
  times: null,
  from: null,
});
const delivery = (bytes: number): Delivery => ({
  message: message(bytes),
  qos: 1,
  retain: false,
  subscriptionIds: [],
});
const sessionOf = (device: string, room: Room, awaySince: number | null) => {
  const session = new Session({ uid: device, device, clientId: 'c', expiry: 60 }, room);
  session.awaySince = awaySince;
  return session;
};

test('one device has its part of the room and no more, and gives back what it took', () => {
  const room = new Room(1000, 600);
  expect(room.take('pump', 600)).toBe(true);
  expect(room.take('pump', 1)).toBe(false);
  expect(room.take('valve', 400)).toBe(true);
  expect(room.take('meter', 1)).toBe(false);
  room.give('pump', 600);
  expect(room.take('pump', 500)).toBe(true);
});

test('a client that is there hears, however full the room is of what waits for others', () => {
  const room = new Room(10_000);
  expect(sessionOf('pump', room, 0).enqueue(delivery(9000), true)).not.toBeNull();
  expect(sessionOf('valve', room, 0).enqueue(delivery(1000), true)).toBeNull();
  const there = sessionOf('valve', room, null);
  expect(there.enqueue(delivery(1000), true)).not.toBeNull();
  expect(there.enqueue(delivery(MOST_UNCOUNTED), true)).toBeNull();
  // What took no room gives none back.
  there.end();
  expect(room.take('meter', 1000)).toBe(false);
});

test('the devices of one project have their part, however many they are, wherever they move', () => {
  const room = new Room(1000, 300, 600);
  for (const device of ['one', 'two', 'three']) room.belongs(device, 'greedy');
  expect([room.take('one', 300), room.take('two', 300), room.take('three', 1)]).toEqual([true, true, false]);
  room.belongs('meter', 'other');
  expect(room.take('meter', 300)).toBe(true);
  // It takes along what it has.
  room.belongs('one', 'elsewhere');
  expect(room.take('three', 100)).toBe(true);
  room.belongs('one', 'greedy');
  expect(room.take('three', 1)).toBe(false);
  room.give('one', 300);
  room.forget('one');
  expect(room.take('three', 200)).toBe(true);
});
