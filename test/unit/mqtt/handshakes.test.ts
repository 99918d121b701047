import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Handshakes } from '#core/mqtt/handshakes.ts';
import { MOST_UNKNOWN } from '#core/mqtt/limits.ts';
import { MOST_OF_PEER } from '#core/net/address.ts';

class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  readonly remotePort: number;
  isDestroyed = false;

  constructor(remoteAddress: string, remotePort: number) {
    super();
    this.remoteAddress = remoteAddress;
    this.remotePort = remotePort;
  }

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

function opened(handshakes: Handshakes, address: string, count: number): FakeSocket[] {
  return Array.from({ length: count }, (_, port) => {
    const socket = new FakeSocket(address, port);
    handshakes.begin(socket as unknown as Socket);
    return socket;
  });
}
const cut = (sockets: readonly FakeSocket[]) => sockets.map(({ isDestroyed }) => isDestroyed).indexOf(true);

test('of this machine, one handshake too many takes the place of the one that has waited longest', () => {
  const handshakes = new Handshakes();
  const sockets = opened(handshakes, '127.0.0.1', MOST_UNKNOWN);
  expect(cut(sockets)).toBe(-1);
  // One whose handshake is over does not count, nor does one that has gone.
  handshakes.end(sockets[0] as unknown as Socket);
  sockets[1]!.emit('close');
  expect(cut(opened(handshakes, '127.0.0.2', 2))).toBe(-1);
  expect(cut(sockets)).toBe(-1);
  opened(handshakes, '127.0.0.3', 1);
  expect(cut(sockets)).toBe(2);
});

test('of one other machine, one too many is cut off itself', () => {
  const handshakes = new Handshakes();
  const sockets = opened(handshakes, '192.168.1.5', MOST_OF_PEER + 1);
  expect(cut(sockets)).toBe(MOST_OF_PEER);
  expect(cut(opened(handshakes, '192.168.1.6', 1))).toBe(-1);
});
