import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { failed, type Envelope } from '#shared/schema/envelope.ts';
import { answerTo } from '../api/answer-to.ts';
import type { Refusal } from '../base/errors.ts';
import { machineClock } from '../base/machine-clock.ts';
import { listenError } from '../net/listen.ts';
import { continueOnRead } from './body.ts';
import { followConnections, type ConnectionLimits } from './connections.ts';
import { createGuard, LIMITS, MAX_HEADERS, withoutHost } from './guard.ts';
import { urlHost, type OwnNames } from '../tls/names.ts';
import { hostOfAddress } from '../net/address.ts';
import { createServer as createHttpServer } from '../net/node-http.ts';
import { createOwnHosts } from '../net/own-hosts.ts';
import { parseErrorMessage } from './parse-errors.ts';
import { newTrace, endTrace } from './request-trace.ts';
import type { Readiness } from './readiness.ts';
import { socketMayFail, writeAnswer, writeToSocket } from './reply.ts';
import { addRoutes, answerToUnknown, answerUnknown, type RouteOptions } from './routes.ts';
import { TLS_OPTIONS } from '../tls/suites.ts';
import { createUpgrades, type Upgrades } from './upgrades.ts';
import type { TlsFiles } from '../tls/tls.ts';
import { within } from '../turns/within.ts';

export interface ListenerOptions extends RouteOptions {
  /** Names allowed in a Host header. */
  readonly names: () => OwnNames;
  /** Under which address a balancer passes requests on; null where there is none. */
  readonly publicUrl: string | null;
  readonly readiness: Readiness;
  /** Called when the machine has got a name. */
  readonly renamed: () => void;
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The flag that chooses the port, for the person who has to choose another. */
  readonly portFlag: string;
  readonly connectionLimits?: ConnectionLimits;
  /** Null for plain HTTP. */
  readonly tls: TlsFiles | null;
}

/** Open listener (door): HTTPS or plain HTTP. */
export interface Listener {
  /** Without a slash at its end. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Stops accepting, lets requests under way finish for at most `graceMs`, then cuts them. */
  close(graceMs: number): Promise<void>;
}

/** Adds routes of a door beyond those of programs and devices. */
export type AddMore = (app: FastifyInstance, upgrades: Upgrades) => void;

/** How often a door that shuts looks for connections that fell idle. */
const IDLE_CHECK_MS = 20;
/** ms in which what was just sent over a new connection arrives: a balancer opens one for each request. */
const FIRST_REQUEST_MS = 500;

function noSchemas(): never {
  throw new Error('A route has a schema, and nothing that compiles it.');
}

/** Opens a listener. Throws StartError: `port-busy`, or `bad-flag` where the host or port cannot be had. */
export async function openListener(options: ListenerOptions, addMore: AddMore): Promise<Listener> {
  const { tls, host, names, renamed, log } = options;
  const scheme = tls ? 'https' : 'http';
  const isOwn = createOwnHosts(names, renamed);
  const guard = createGuard(isOwn, scheme, options.publicUrl);
  const upgrades = createUpgrades(guard, log);
  const { server, release } = createServer(tls, upgrades);
  server.maxHeadersCount = MAX_HEADERS;
  const connections = followConnections(server, scheme, options.connectionLimits);
  // Who checks certificates asks for nothing at an address that this one lacks: the connection itself has to tell of it.
  server.on('connection', ({ localAddress }: Socket) => {
    if (localAddress !== undefined) isOwn(hostOfAddress(localAddress));
  });

  /** Writes a refusal to a socket, or destroys it in the middle of an answer. */
  function refuseOn(socket: Duplex, envelope: Envelope): void {
    if (!socket.writable || connections.isHalfOut(socket)) socket.destroy();
    else writeToSocket(socket, envelope);
  }

  function refuseGuarded(request: IncomingMessage, response: ServerResponse, why: Refusal): void {
    const answer = answerTo('read request', why, log);
    endTrace(options.traces, request, answer.envelope, newTrace(null));
    void writeAnswer(request, response, answer, log);
  }

  async function refuseTunnel(request: IncomingMessage, socket: Duplex): Promise<void> {
    socketMayFail(socket);
    const why = guard(request);
    const answer = why ? answerTo('read request', why, log) : await answerToUnknown(request, options);
    refuseOn(socket, answer.envelope);
  }

  const app = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    // No route has a schema: the libraries that compile them take a third of a start to load.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: { maxParamLength: LIMITS.maxHeaderSize },
    frameworkErrors: (_error, request, reply) => void answerUnknown(request, reply, options),
    serverFactory(handle) {
      const guarded: typeof handle = (request, response) => {
        connections.asked(request.socket, response);
        // The next request of this connection goes to another service of the balancer.
        if (options.readiness.isDraining) response.shouldKeepAlive = false;
        const why = guard(request);
        request.url = withoutHost(request.url ?? '');
        if (why) refuseGuarded(request, response, why);
        else handle(request, response);
      };
      const asksFirst: typeof handle = (request, response) => {
        continueOnRead(request, response);
        guarded(request, response);
      };
      // Without a listener Node answers an unknown Expect with 417, which docs/api.md, "Statuses", does not have, asks for a body
      // before anyone knows whether it is wanted, and drops a CONNECT without a word.
      return server
        .on('request', guarded)
        .on('checkExpectation', guarded)
        .on('checkContinue', asksFirst)
        .on('connect', (request: IncomingMessage, socket) => {
          connections.upgraded(socket);
          void refuseTunnel(request, socket);
        });
    },
    clientErrorHandler(error, socket) {
      const message = parseErrorMessage(error);
      // A client that does not speak HTTP would not understand an answer. A connection that a browser opened ahead may get its first
      // request at this moment, and would take an answer for that of the request; where it is closed, the browser asks again.
      if (message === null || socket.bytesRead === 0) socket.destroy();
      else refuseOn(socket, failed('read request', 400, message));
    },
  });
  addRoutes(app, { ...options, known: ({ socket }, asker) => connections.belongs(socket, asker) });
  addMore(app, upgrades);
  upgrades.serve(server, connections);
  await listen(app, options);
  const { port } = server.address() as AddressInfo;

  return {
    url: `${scheme}://${urlHost(host)}:${port}`,
    host,
    port,
    async close(graceMs) {
      release();
      const cut = machineClock.after(graceMs, () => server.closeAllConnections());
      const shut = new AbortController();
      const silent = machineClock.after(Math.min(FIRST_REQUEST_MS, graceMs), () => connections.closeSilent());
      const closed = app.close().finally(() => {
        clearTimeout(cut);
        clearTimeout(silent);
        shut.abort();
      });
      // A kept-alive connection that was busy when the door shut stays open after its answer: close it once it is idle.
      while (!shut.signal.aborted) {
        server.closeIdleConnections();
        await within(closed, IDLE_CHECK_MS, () => undefined);
      }
      await closed;
    },
  };
}

/** `release` ends the following of renewed certificates. */
function createServer(tls: TlsFiles | null, upgrades: Upgrades): { server: Server; release: () => void } {
  const options = { ...LIMITS, shouldUpgradeCallback: (request: IncomingMessage) => upgrades.takes(request) };
  if (!tls) return { server: createHttpServer(options), release: () => {} };
  const server: HttpsServer = createHttpsServer({
    ...options,
    ...TLS_OPTIONS,
    ...shown(tls),
    handshakeTimeout: LIMITS.headersTimeout,
  });
  return {
    server,
    release: tls.onRenewed(() => server.setSecureContext({ ...TLS_OPTIONS, ...shown(tls) })),
  };
}

/** The authority's certificate goes along, so that who meets this service first can compare its fingerprint. */
function shown(tls: TlsFiles) {
  const { cert, key } = tls.current();
  return { key, cert: cert + tls.ca_certificate };
}

async function listen(app: FastifyInstance, { host, port, portFlag }: ListenerOptions): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    await app.close();
    throw listenError(error, host, port, portFlag);
  }
}
