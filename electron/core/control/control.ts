import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { DownloadId } from '#shared/operations/index.ts';
import { succeeded, type Envelope } from '#shared/schema/envelope.ts';
import { answerTo } from '../api/answer-to.ts';
import type { Awaitable } from '../base/awaitable.ts';
import { forbidden, notFound } from '../base/errors.ts';
import type { Logger } from '../base/logger.ts';
import { createServer } from '../net/node-http.ts';
import {
  ASKED_FILES,
  ASKED_JOBS,
  CONTROL_PATHS,
  TAKEN_FILES,
  type AskedJob,
  type Opened,
  type Stopping,
} from './messages.ts';
import type { Asked } from './asked.ts';
import { readJson } from './read-json.ts';
import { sendCall } from './send-call.ts';
import { inputOfFile, sendFile } from './send-file.ts';
import { takeFile } from './take-file.ts';
import { sendJob } from './send-job.ts';

/** Host of the service, as far as the socket can ask it. */
export interface Host {
  /** Begins to stop the service and then the process. */
  readonly stop?: () => void;
  /** How long it answers on before it stops. */
  readonly drainMs?: number;
  /** Brings up a window of the app; only a desktop app has one. */
  readonly show?: () => Awaitable<void>;
}

export interface Control {
  /** Takes a connection; who has one may do what the owner may. */
  connected(socket: Socket): void;
  /** Sets the started service: requests for more than its stop are answered from now on. */
  started(service: Asked): void;
  /** Answers nothing but a stop any more. */
  close(): void;
}

interface Answering {
  readonly host: Host;
  readonly service: Promise<Asked>;
  readonly isClosing: () => boolean;
}

/** How long the head of a request may take to come, in ms. A body may be a backup, from a slow stick. */
const HEAD_MS = 5000;

/**
 * Opens the door of the data directory's own socket: a stop is heard while the service still starts, everything else
 * waits until it has. Its connections end with the socket, which is closed after everything else: whoever asked for a stop
 * hears of its end by that.
 */
export function openControl({ host, log }: { readonly host: Host; readonly log: Logger }): Control {
  let closing = false;
  const service = Promise.withResolvers<Asked>();
  const answering: Answering = { host, service: service.promise, isClosing: () => closing };
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const answered = await answer(answering, request, response, log);
      if (answered === null) return;
      const { envelope, after } = answered;
      write(response, envelope, after !== undefined);
      after?.();
    } catch (error) {
      write(response, answerTo(`${request.method} ${request.url}`, error, log).envelope, false);
    }
  }
  const server = createServer(
    { requestTimeout: 0, headersTimeout: HEAD_MS },
    (request, response) => void respond(request, response),
  );
  server.on('clientError', (_error, socket) => socket.destroy());
  return {
    connected: (socket) => void server.emit('connection', socket),
    started: (asked) => service.resolve(asked),
    close: () => void (closing = true),
  };
}

interface Answered {
  readonly envelope: Envelope;
  /** Done when the envelope is on its way; the connection then stays open until the socket is closed. */
  readonly after?: () => void;
}

/** Null where a file or lines were the answer. */
async function answer(
  { host, service, isClosing }: Answering,
  request: IncomingMessage,
  response: ServerResponse,
  log: Logger,
): Promise<Answered | null> {
  const { method, url = '' } = request;
  const address = URL.parse(url, 'http://control');
  if (!address) throw notFound(`${method} ${url}`);
  const { pathname, searchParams } = address;
  const is = (verb: string, path: string) => method === verb && pathname === path;
  if (is('POST', CONTROL_PATHS.stop)) {
    const { stop, drainMs = 0 } = host;
    if (!stop) throw forbidden('Who runs this service does not let it be stopped from outside.');
    const told: Stopping = drainMs > 0 ? { drain_s: drainMs / 1000 } : null;
    return { envelope: succeeded('stop', 200, 'Stopping.', told), after: stop };
  }
  const asked = await service;
  if (isClosing()) throw forbidden('The service is stopping.');
  if (is('GET', CONTROL_PATHS.status)) {
    const call = { id: 'status.get', input: {}, authenticate: () => asked.owner } as const;
    return { envelope: (await asked.dispatch(call)).envelope };
  }
  if (is('POST', CONTROL_PATHS.open)) {
    const data = await open(host, asked, searchParams.has('console'));
    return { envelope: succeeded('open', 200, 'Opened.', data) };
  }
  if (is('POST', CONTROL_PATHS.call)) return { envelope: await sendCall(asked, request, response) };
  const file = async (id: DownloadId, input: unknown) => {
    const envelope = await sendFile(asked, { id, input }, response, log);
    return envelope && { envelope };
  };
  for (const [path, id] of Object.entries(ASKED_FILES))
    if (is('GET', path)) return file(id, inputOfFile(address, request));
  if (is('POST', CONTROL_PATHS.backup)) return file('backup.with-secrets', await readJson(request));
  if (is('POST', CONTROL_PATHS.handover)) return file('handover.get', await readJson(request));
  for (const [path, id] of Object.entries(TAKEN_FILES))
    if (is('POST', path)) return { envelope: await takeFile(asked, id, address, request, response) };
  for (const id of Object.keys(ASKED_JOBS) as AskedJob[])
    if (is('POST', CONTROL_PATHS[id])) {
      await sendJob(asked, id, request, response);
      return null;
    }
  throw notFound(`${method} ${pathname}`);
}

async function open(host: Host, { consoleUrl }: Asked, console: boolean): Promise<Opened> {
  if (host.show && !console) {
    await host.show();
    return { window: true, console_url: null };
  }
  const console_url = await consoleUrl();
  if (console_url === null)
    throw forbidden('This service has no console: it runs with --strict, or the app was not built.');
  return { window: false, console_url };
}

function write(response: ServerResponse, envelope: Envelope, held: boolean): void {
  response.writeHead(envelope.status, { 'content-type': 'application/json; charset=utf-8' });
  response.write(`${JSON.stringify(envelope)}\n`);
  if (!held) response.end();
}
