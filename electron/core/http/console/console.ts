import type { IncomingMessage } from 'node:http';
import { resolve } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LET_IN_HASH, LET_IN_PROTOCOL } from '#shared/bridge/wire.ts';
import type { Awaitable } from '../../base/awaitable.ts';
import { forbidden } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { machineClock } from '../../base/machine-clock.ts';
import type { Slices } from '../../turns/slices.ts';
import { readStatic } from '../../page/static-files.ts';
import { FILES_PATH, type OfferedFiles } from '../../bridge/offered-files.ts';
import { NOT_FOUND_PAGE, SIGNED_OUT_PAGE } from './notices.ts';
import { appPolicy } from '../../page/content-security-policy.ts';
import type { Tickets } from '../../backend/tickets.ts';
import type { Scheme } from '../guard.ts';
import { GET_AND_HEAD } from '../methods.ts';
import type { Upgrades } from '../upgrades.ts';
import {
  createWindowSockets,
  FRAMES_OF_OWNER,
  type OpenWindow,
  type WindowSocket,
} from '../window-sockets.ts';
import { addSessionRoutes, loopbackPortOf } from './session-routes.ts';

/** The app's window in a browser: the built renderer, and one WebSocket for each window. */
export interface Console {
  addTo(app: FastifyInstance, upgrades: Upgrades, scheme: Scheme): void;
  /** The path that opens the console once, within ten minutes. Rejects with StoreError. */
  issuePath(): Promise<string>;
  close(): void;
}

const SOCKET_PATH = '/console/socket';
/** ms between two looks at whether sessions hold: in a lab one may be ended at another service. */
const LOOK_MS = 1000;

export function createConsole(options: {
  /** The built renderer. */
  readonly directory: string;
  readonly openWindow: OpenWindow;
  readonly offered: OfferedFiles;
  readonly tickets: Tickets;
  readonly slices: Slices;
  readonly log: Logger;
}): Console {
  const directory = resolve(options.directory);
  const { tickets, offered, log } = options;
  const sockets = createWindowSockets('A window of the console', FRAMES_OF_OWNER, options);
  async function isVisitor(request: IncomingMessage): Promise<boolean> {
    const cookie = cookieOf(request);
    return cookie !== undefined && tickets.isVisitor(cookie, loopbackPortOf(request));
  }
  /** Windows that are open, and the secrets that opened them. */
  const open = new Map<WindowSocket, string>();

  function addTo(app: FastifyInstance, upgrades: Upgrades, scheme: Scheme): void {
    const page = (
      url: string,
      handler: (request: FastifyRequest, reply: FastifyReply) => Awaitable<FastifyReply>,
    ) => void app.route({ method: GET_AND_HEAD, url, handler });

    page('/console', (_request, reply) => toConsole(reply));

    page('/console/open', async ({ raw, query }, reply) => {
      const { token } = query as { readonly token?: unknown };
      const ticket = typeof token === 'string' ? token : '';
      // A HEAD is safe (RFC 9110, 9.2.1): what looks at a link before it is opened must not use it up.
      if (raw.method === 'HEAD' && (await tickets.holds(ticket))) return toConsole(reply);
      const admission = await tickets.redeem(ticket);
      if (admission === null)
        return (await isVisitor(raw)) ? toConsole(reply) : sendPage(reply, 403, SIGNED_OUT_PAGE);
      const { cookie, secret } = admission;
      reply.header('set-cookie', cookieText(raw, cookie, scheme));
      // A browser sends a fragment nowhere, and shows it to no page of another port.
      return toConsole(reply, LET_IN_HASH + secret);
    });

    page(`/console/${FILES_PATH}:name`, async ({ raw, params }, reply) => {
      if (!(await isVisitor(raw))) return sendPage(reply, 403, SIGNED_OUT_PAGE);
      const { name } = params as { readonly name: string };
      // What looks at a path before it is fetched must not use it up.
      const file = raw.method === 'GET' ? offered.take(FILES_PATH + name) : null;
      if (!file) return sendPage(reply, 404, NOT_FOUND_PAGE);
      return reply.headers(FILE_HEADERS).send(file);
    });

    page('/console/*', async ({ raw, params }, reply) => {
      if (!(await isVisitor(raw))) return sendPage(reply, 403, SIGNED_OUT_PAGE);
      const file = await readStatic(directory, (params as { readonly '*': string })['*']);
      if (!file) return sendPage(reply, 404, NOT_FOUND_PAGE);
      const host = `${scheme === 'https' ? 'wss' : 'ws'}://${raw.headers.host ?? ''}`;
      return reply
        .headers(pageHeaders(appPolicy(host)))
        .header('content-type', file.type)
        .header('cache-control', file.immutable ? 'private, max-age=31536000, immutable' : 'no-cache')
        .send(file.bytes);
    });

    // Browsers always send Origin here; the guard has checked that it is this service's own.
    upgrades.add(SOCKET_PATH, 'open console', async (request, socket, head) => {
      const isSent = request.headers.origin !== undefined && (await isVisitor(request));
      if (!isSent || !(await tickets.isSecret(secretOf(request))))
        throw forbidden('This browser has not been let in: open the link that the service printed.');
      sockets.accept(request, socket, head, options.openWindow, (window) => {
        open.set(window, secretOf(request));
        window.onClosed(() => void open.delete(window));
      });
    });
    const expired = (raw: IncomingMessage) => expiredCookie(raw, scheme);
    addSessionRoutes(app, { tickets, cookieOf, expired, ended, log });
  }

  /** Closes the windows whose sessions have ended. Rejects with StoreError. */
  async function ended(): Promise<void> {
    if (open.size === 0) return;
    const asked = [...open];
    const holding = await tickets.holding([...new Set(asked.map(([, secret]) => secret))]);
    for (const [window, secret] of asked)
      if (!holding.has(secret)) window.refuse('This browser was signed out.');
  }

  let isLooking = false;
  /** Whether the last look failed: that is said once, and the windows stay meanwhile. */
  let isBlind = false;
  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      await ended();
      isBlind = false;
    } catch (error) {
      if (!isBlind) log.error('Whether browsers are signed in still could not be looked up', error);
      isBlind = true;
    } finally {
      isLooking = false;
    }
  }
  const looks = machineClock.every(LOOK_MS, () => void look()).unref();

  return {
    addTo,
    issuePath: async () => `/console/open?token=${await tickets.issue()}`,
    close() {
      clearInterval(looks);
      sockets.close();
    },
  };
}

const toConsole = (reply: FastifyReply, fragment = '') =>
  reply.headers(REDIRECT_HEADERS).redirect(`/console/${fragment}`, 303);

const REDIRECT_HEADERS = {
  // Said for a HEAD, too.
  'content-length': '0',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** The page says the name. */
const FILE_HEADERS = {
  'content-type': 'application/octet-stream',
  'content-disposition': 'attachment',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const pageHeaders = (policy: string) => ({
  'content-security-policy': policy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
});

function sendPage(reply: FastifyReply, status: 403 | 404, html: string): FastifyReply {
  return reply.code(status).headers(pageHeaders(PAGE_POLICY)).type('text/html; charset=utf-8').send(html);
}

/**
 * Cookies of a host are shared by all its ports: the port in the name keeps two services on a machine apart. It is the one
 * that the browser knows, the same for all services behind a balancer.
 */
const cookieName = ({ headers }: IncomingMessage) =>
  `fieldbench_console_${/:(\d+)$/.exec(headers.host ?? '')?.[1] ?? 0}`;

const cookieText = (request: IncomingMessage, value: string, scheme: Scheme) =>
  `${cookieName(request)}=${value}; HttpOnly; SameSite=Strict; Path=/console${scheme === 'https' ? '; Secure' : ''}`;

const expiredCookie = (request: IncomingMessage, scheme: Scheme) =>
  `${cookieText(request, '', scheme)}; Max-Age=0`;

/** The secret that a WebSocket offers among its subprotocols; "" where there is none. */
function secretOf({ headers }: IncomingMessage): string {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
  return offered.find((one) => one.startsWith(LET_IN_PROTOCOL))?.slice(LET_IN_PROTOCOL.length) ?? '';
}

function cookieOf(request: IncomingMessage): string | undefined {
  const prefix = `${cookieName(request)}=`;
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(prefix))?.slice(prefix.length);
}
