import Fastify from 'fastify';
import { answerMessages } from '../lib/child.ts';

/** Fastify at its simplest: the same bytes for every request. What any service on it can reach at most. */
answerMessages(async ({ body }: { readonly body: string }) => {
  const app = Fastify();
  const bytes = Buffer.from(body);
  app.get('/', (_request, reply) =>
    reply.header('content-type', 'application/json; charset=utf-8').send(bytes),
  );
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/` };
});
