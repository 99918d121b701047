import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { Handshakes } from '#core/mqtt/handshakes.ts';
import { MOST_UNKNOWN } from '#core/mqtt/limits.ts';
import { createPeerLimits } from '#core/net/peers.ts';

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
  const handshakes = new Handshakes(createPeerLimits());
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

test('of one other machine, one too many is cut off itself, unless it is a trusted proxy', () => {
  const handshakes = new Handshakes(createPeerLimits(['192.168.1.9']));
  const sockets = opened(handshakes, '192.168.1.5', 257);
  expect(cut(sockets)).toBe(256);
  expect(cut(opened(handshakes, '192.168.1.9', 257))).toBe(-1);
  expect(cut(opened(handshakes, '192.168.1.6', 1))).toBe(-1);
});
