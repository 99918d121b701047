import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * What becomes of what a client sends: `pass`; `lost`: the wire is cut before it arrives; `unheard`: it arrives, and the
 * wire is cut; `unanswered`: it is answered, and the wire is cut before the answer arrives; `silent`: nothing comes back any more.
 */
export type Fate = 'pass' | 'lost' | 'unheard' | 'unanswered' | 'silent';

/**
 * A wire to a server on this machine that is cut as `fate` says, asked for each piece that a client sends; what comes back
 * is `lateMs` late, asked for each piece of that.
 */
export class CuttingProxy {
  /** How often the wire was cut. */
  cuts = 0;
  /** Bytes that came from clients, and that went to them. */
  bytes = { there: 0, back: 0 };
  readonly #target: number;
  readonly #fate: (piece: Buffer) => Fate;
  readonly #lateMs: (() => number) | null;
  readonly #sockets = new Set<Socket>();
  readonly #late = new WeakMap<Socket, Promise<void>>();
  readonly #server: Server = createServer((client) => this.#join(client));

  constructor(target: number, fate: (piece: Buffer) => Fate, lateMs: (() => number) | null = null) {
    this.#target = target;
    this.#fate = fate;
    this.#lateMs = lateMs;
  }

  /** Resolves with the port that it listens on. */
  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return address.port;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #join(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    let isAnswered = true;
    let isSilent = false;
    const end = () => {
      client.destroy();
      server.destroy();
    };
    const cut = () => {
      this.cuts++;
      end();
    };
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        end();
      });
    }
    client.on('data', (piece: Buffer) => {
      this.bytes.there += piece.length;
      const fate = this.#fate(piece);
      if (fate === 'lost') {
        cut();
        return;
      }
      if (fate === 'silent') {
        isSilent = true;
        this.cuts++;
      }
      if (fate === 'unanswered') isAnswered = false;
      server.write(piece, () => void (fate === 'unheard' && cut()));
    });
    server.on('data', (piece: Buffer) => {
      if (!isAnswered) cut();
      else if (!isSilent) {
        this.bytes.back += piece.length;
        this.#answer(client, piece);
      }
    });
  }

  /** Pieces of one connection stay in order, as each waits for the one before it. */
  #answer(client: Socket, piece: Buffer): void {
    if (this.#lateMs === null) {
      client.write(piece);
      return;
    }
    const ms = this.#lateMs();
    const before = this.#late.get(client);
    this.#late.set(
      client,
      Promise.all([before, delay(ms)]).then(() => void (client.destroyed || client.write(piece))),
    );
  }
}
