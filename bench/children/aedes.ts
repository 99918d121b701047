import { createServer } from 'node:net';
import { Aedes } from 'aedes';
import { answerMessages } from '../lib/child.ts';
import { followUsage, type UsageMessage } from '../lib/usage.ts';

/** aedes as its own example starts it: sessions in memory, messages nowhere. */
const usage = followUsage();

answerMessages((message: { readonly start: true } | UsageMessage) =>
  'usage' in message ? usage() : start(),
);

async function start(): Promise<{ mqttPort: number }> {
  const broker = await Aedes.createBroker();
  const server = createServer({ noDelay: true }, (socket) => void broker.handle(socket));
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  return { mqttPort: typeof address === 'object' && address ? address.port : 0 };
}

process.on('disconnect', () => process.exit(0));
