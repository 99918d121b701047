import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * What becomes of what a client sends: `pass`; `lost`: the wire is cut before it arrives; `unheard`: it arrives, and the
 * wire is cut; `unanswered`: it is answered, and the wire is cut before the answer arrives; `silent`: nothing comes back any more.
 */
export type Fate = 'pass' | 'lost' | 'unheard' | 'unanswered' | 'silent';

/** A wire to a server on this machine that is cut as `fate` says, asked for each piece that a client sends. */
export class CuttingProxy {
  /** How often the wire was cut. */
  cuts = 0;
  /** Bytes that came from clients, and that went to them. */
  bytes = { there: 0, back: 0 };
  readonly #target: number;
  readonly #fate: (piece: Buffer) => Fate;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server = createServer((client) => this.#join(client));

  constructor(target: number, fate: (piece: Buffer) => Fate) {
    this.#target = target;
    this.#fate = fate;
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
        client.write(piece);
      }
    });
  }
}
