import { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { Wire } from '#core/mqtt/packets/wire.ts';
import { Slices } from '#core/turns/slices.ts';

test('a connection that has ended asks for nothing more to send, whatever of it is taken yet', () => {
  const pending: (() => void)[] = [];
  const stream = new Duplex({ read() {}, write: (_bytes, _encoding, done) => void pending.push(done) });
  let taken = 0;
  const none = () => {};
  const events = {
    heard: none,
    connect: none,
    packet: none,
    large: none,
    tooLarge: none,
    failed: none,
    over: none,
    closed: none,
  };
  const wire = new Wire(stream, { ...events, taken: () => void taken++ }, new Slices());
  wire.message({ cmd: 'publish', topic: 'd', payload: 'x', qos: 0, dup: false, retain: false }, none);
  wire.close();
  for (const done of pending) done();
  expect(taken).toBe(0);
});
