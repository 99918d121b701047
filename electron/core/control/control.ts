import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { succeeded, type Envelope } from '#shared/envelope.ts';
import type { Dispatch, Principal } from '../api/call.ts';
import { answerTo } from '../api/dispatch.ts';
import type { Awaitable } from '../awaitable.ts';
import { forbidden, notFound } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { CONTROL_PATHS, type Opened } from './messages.ts';

/** What runs the service, as far as it can be asked for something. */
export interface Host {
  /** Begins to stop the service and then the process. */
  readonly stop?: () => void;
  /** Brings up a window of the app; only a desktop app has one. */
  readonly show?: () => Awaitable<void>;
}

export interface ControlOptions {
  /** Hands over connections; who has one may do what the owner may. */
  readonly serve: (listener: (socket: Socket) => void) => void;
  readonly dispatch: Dispatch;
  readonly owner: Principal;
  /** A fresh address of the console; null where there is none. */
  readonly consoleUrl: () => string | null;
  readonly host: Host;
  readonly log: Logger;
}

/** How long a request's head may take, in ms. Nothing that is asked has a body. */
const HEAD_MS = 5000;

/**
 * Opens the door of the data directory's own socket. Its connections end with the socket, which is closed after
 * everything else: whoever asked for a stop hears of its end by that.
 */
export function openControl(options: ControlOptions): { close(): void } {
  let closing = false;
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { envelope, after } = await answer(options, request, closing);
      write(response, envelope, after !== undefined);
      after?.();
    } catch (error) {
      write(response, answerTo(`${request.method} ${request.url}`, error, options.log).envelope, false);
    }
  }
  const server = createServer(
    { requestTimeout: HEAD_MS, headersTimeout: HEAD_MS },
    (request, response) => void respond(request, response),
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  options.serve((socket) => server.emit('connection', socket));
  return { close: () => void (closing = true) };
}

interface Answered {
  readonly envelope: Envelope;
  /** Done when the envelope is on its way; the connection then stays open until the socket is closed. */
  readonly after?: () => void;
}

async function answer(
  options: ControlOptions,
  { method, url = '' }: IncomingMessage,
  closing: boolean,
): Promise<Answered> {
  const { pathname, searchParams } = new URL(url, 'http://control');
  const is = (verb: string, path: string) => method === verb && pathname === path;
  if (is('POST', CONTROL_PATHS.stop)) {
    const { stop } = options.host;
    if (!stop) throw forbidden('Who runs this service does not let it be stopped from outside.');
    return { envelope: succeeded('stop', 200, 'Stopping.', null), after: stop };
  }
  if (closing) throw forbidden('The service is stopping.');
  if (is('GET', CONTROL_PATHS.status)) {
    const call = { id: 'status.get', input: {}, authenticate: () => options.owner } as const;
    return { envelope: (await options.dispatch(call)).envelope };
  }
  if (is('POST', CONTROL_PATHS.open)) {
    const data = await open(options, searchParams.has('console'));
    return { envelope: succeeded('open', 200, 'Opened.', data) };
  }
  throw notFound(`${method} ${pathname}`);
}

async function open({ host, consoleUrl }: ControlOptions, console: boolean): Promise<Opened> {
  if (host.show && !console) {
    await host.show();
    return { window: true, console_url: null };
  }
  const console_url = consoleUrl();
  if (console_url === null)
    throw forbidden('This service has no console: it runs with --strict, or the app was not built.');
  return { window: false, console_url };
}

function write(response: ServerResponse, envelope: Envelope, held: boolean): void {
  response.writeHead(envelope.status, { 'content-type': 'application/json; charset=utf-8' });
  response.write(`${JSON.stringify(envelope)}\n`);
  if (!held) response.end();
}
