import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { oneOf } from '../one-of.ts';

/** What stands before several services on this machine and deals connections to them at random. */
export interface Balancer {
  /** Where it listens; without a slash at its end. */
  readonly url: string;
  /** Deals to these ports from now on. */
  dealTo(ports: readonly number[]): void;
  close(): Promise<void>;
}

export async function openBalancer(): Promise<Balancer> {
  let ports: readonly number[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const port = oneOf(ports);
    if (port === undefined) return void client.destroy();
    const service = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    for (const [socket, other] of [
      [client, service],
      [service, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroySoon();
      });
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dealTo: (given) => void (ports = given),
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
