import type { Socket } from 'node:net';
import { endsOf } from '../net/address.ts';
import type { PeerLimits } from '../net/peers.ts';
import { MOST_UNKNOWN } from './limits.ts';

/**
 * Connections whose TLS handshake is not over: as many as may be of strangers. One more takes the place of the one that has
 * waited longest; of one peer it is cut off.
 */
export class Handshakes {
  readonly #peers: PeerLimits;
  /** By the two ends: the sockets before and after a handshake have the same. */
  readonly #waiting = new Map<string, { readonly socket: Socket; readonly peer: string | null }>();

  constructor(peers: PeerLimits) {
    this.#peers = peers;
  }

  begin(socket: Socket): void {
    const peer = this.#peers.peerOf(socket.remoteAddress ?? '');
    if (peer !== null && this.#of(peer) >= this.#peers.mostOfPeer) {
      socket.destroy();
      return;
    }
    const [longest] = this.#waiting;
    if (longest !== undefined && this.#waiting.size >= MOST_UNKNOWN) {
      this.#waiting.delete(longest[0]);
      longest[1].socket.destroy();
    }
    const ends = endsOf(socket);
    this.#waiting.set(ends, { socket, peer });
    socket.once('close', () => {
      if (this.#waiting.get(ends)?.socket === socket) this.#waiting.delete(ends);
    });
  }

  end(socket: Socket): void {
    this.#waiting.delete(endsOf(socket));
  }

  #of(peer: string): number {
    let count = 0;
    for (const each of this.#waiting.values()) if (each.peer === peer) count++;
    return count;
  }
}
