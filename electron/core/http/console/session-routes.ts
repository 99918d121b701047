import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BROWSER_KEY_HEADER, LET_IN_HEADER, SIGNATURE_HEADER } from '#shared/bridge/wire.ts';
import { answerTo } from '../../api/answer-to.ts';
import type { Logger } from '../../base/logger.ts';
import { isLoopback } from '../../tls/names.ts';
import type { Tickets } from '../../backend/tickets.ts';

/*
 * What a page asks about its own session (docs/api.md, "Access"): whether it is in, to come back after a restart of the
 * service, to sign out. The guard has looked at Host and Origin.
 */

interface Parts {
  readonly tickets: Tickets;
  readonly cookieOf: (request: IncomingMessage) => string | undefined;
  /** The cookie that takes the session's away from the browser. */
  readonly expired: (request: IncomingMessage) => string;
  /** Closes the windows of sessions that have ended. */
  readonly ended: () => Promise<void>;
  readonly log: Logger;
}

export function addSessionRoutes(
  app: FastifyInstance,
  { tickets, cookieOf, expired, ended, log }: Parts,
): void {
  const { returning } = tickets;
  type Handler = (request: FastifyRequest, reply: FastifyReply, cookie: string) => Promise<unknown>;
  const route = (method: 'GET' | 'POST', url: string, action: string, handler: Handler) =>
    void app.route({
      method,
      url,
      handler: async (request, reply) => {
        const cookie = cookieOf(request.raw);
        reply.headers(HEADERS);
        if (cookie === undefined) return keepOut(reply);
        try {
          return await handler(request, reply, cookie);
        } catch (error) {
          // A full disk, a database that is away: as operations say it.
          const { envelope } = answerTo(action, error, log, { isV2: false });
          return reply.code(envelope.status).send(envelope);
        }
      },
    });

  route('GET', '/console/session', 'get session', async ({ raw }, reply, cookie) => {
    const port = loopbackPortOf(raw);
    if ((await tickets.isVisitor(cookie, port)) && (await tickets.isSecret(headerOf(raw, LET_IN_HEADER))))
      return reply.code(204).send();
    const challenge = port === null ? null : (returning?.challenge(cookie, port) ?? null);
    return challenge === null ? keepOut(reply) : reply.send({ challenge });
  });

  route('POST', '/console/session', 'resume session', async ({ raw }, reply, cookie) => {
    const port = loopbackPortOf(raw);
    const secret =
      port === null ? null : (returning?.comeBack(cookie, port, headerOf(raw, SIGNATURE_HEADER)) ?? null);
    return secret === null ? keepOut(reply) : reply.send({ secret });
  });

  route('POST', '/console/session/key', 'keep session', async ({ raw }, reply, cookie) => {
    const port = loopbackPortOf(raw);
    if (!(await tickets.isVisitor(cookie, port)) || !(await tickets.isSecret(headerOf(raw, LET_IN_HEADER))))
      return keepOut(reply);
    const key = headerOf(raw, BROWSER_KEY_HEADER);
    return reply.send({ kept: port !== null && ((await returning?.keep(cookie, key, port)) ?? false) });
  });

  route('POST', '/console/session/end', 'end session', async ({ raw }, reply, cookie) => {
    await tickets.signOut(cookie, headerOf(raw, LET_IN_HEADER));
    await ended();
    return reply.code(204).header('set-cookie', expired(raw)).send();
  });
}

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

const keepOut = (reply: FastifyReply) =>
  Promise.resolve(reply.code(403).send({ problem: 'This browser has not been let in.' }));

function headerOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

const OWN = /^(?:127\.0\.0\.1|localhost|\[::1\]):(?<port>\d+)$/i;

/**
 * The loopback port that a browser of this machine came to by its own address; null for any other way: from the network, through
 * a balancer or a tunnel, by a name. Only there a session comes back: whoever has the port has what the session is about.
 */
export function loopbackPortOf({ headers, socket }: IncomingMessage): number | null {
  const port = Number(OWN.exec(headers.host ?? '')?.groups?.['port'] ?? NaN);
  const from = socket.remoteAddress?.replace(/^::ffff:/i, '') ?? '';
  const isPassedOn = headers.forwarded !== undefined || headers['x-forwarded-for'] !== undefined;
  return port === socket.localPort && isLoopback(from) && !isPassedOn ? port : null;
}
