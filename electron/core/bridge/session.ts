import { text } from 'node:stream/consumers';
import type { Envelope } from '#shared/envelope.ts';
import { failed } from '#shared/envelope.ts';
import { parseJson } from '#shared/json.ts';
import { operationOf, type OperationId } from '#shared/operations/index.ts';
import { CHUNK_BYTES, type ClientMessage } from '#shared/wire.ts';
import type { Body } from '../import/body.ts';
import type { Awaitable } from '../awaitable.ts';
import { EncodedJson, type Call, type Dispatch } from '../api/call.ts';
import { answerTo } from '../api/dispatch.ts';
import type { Logger } from '../logger.ts';
import { createCredit, createUpload, type Credit, type Upload } from './flow.ts';
import { createHearing, type HearingOptions } from './hearing.ts';
import { clientMessage } from './messages.ts';

/** The service's end of shared/wire.ts for one window. */
export interface Session {
  /** Takes whatever the window sent; what is not a message of shared/wire.ts is logged and ignored. */
  receive(message: unknown): void;
  /** Cancels everything under way: the window has gone. */
  close(): void;
}

/** Who the window is, is asked anew for each request and before it hears of anything. */
export interface SessionOptions extends HearingOptions {
  readonly dispatch: Dispatch;
  readonly authenticate: Call['authenticate'];
  /** Waits until the window has taken enough of what was posted for bulk data to follow; absent where it always has. */
  readonly room?: () => Awaitable<void>;
}

/** A request under way. */
interface Work {
  readonly controller: AbortController;
  readonly credit: Credit;
  readonly upload: Upload | null;
}

/** How an operation without a body is asked for, by what it replies with. */
const SENT_AS = { envelope: 'call', bare: 'call', stream: 'download', arrays: 'stream' } as const;

/** The same for Electron's IPC and the browser console's WebSocket, which differ in `post` alone. */
export function openSession(options: SessionOptions): Session {
  const { dispatch, authenticate, post, room = () => {} } = options;
  const log = fewWarnings(options.log);
  const running = new Map<number, Work>();
  const hearing = createHearing({ ...options, log });

  /** Runs a request and posts its reply, unless it was cancelled: then no one waits for one. */
  function start(
    n: number,
    action: string,
    run: (work: Work) => Promise<Envelope>,
    withUpload = false,
  ): void {
    if (running.has(n)) return log.warn(`A window sent request ${n} twice; the second one is ignored.`);
    const controller = new AbortController();
    const { signal } = controller;
    const upload = withUpload
      ? createUpload(signal, () => running.has(n) && post({ type: 'more', n }))
      : null;
    const work: Work = { controller, credit: createCredit(signal), upload };
    running.set(n, work);
    void finish(n, work, action, run(work));
  }

  async function finish(n: number, work: Work, action: string, result: Promise<Envelope>): Promise<void> {
    const { signal } = work.controller;
    const envelope = await result.catch((error: unknown) =>
      signal.aborted ? null : answerTo(action, error, log).envelope,
    );
    if (running.get(n) !== work) return;
    running.delete(n);
    if (envelope) post({ type: 'reply', n, envelope });
  }

  const request = (
    message: { readonly id: OperationId; readonly input: unknown },
    work: Work,
    body?: Body,
  ): Call => ({
    id: message.id,
    input: message.input,
    authenticate,
    signal: work.controller.signal,
    ...(body && { body }),
  });

  /** The right to send one bulk message. What a window gave up may still be on its way: that counts for no credit. */
  async function turnOf({ credit, controller: { signal } }: Work): Promise<void> {
    await credit.take();
    await room();
    signal.throwIfAborted();
  }

  async function download(n: number, call: Call, work: Work): Promise<Envelope> {
    const answer = await dispatch(call);
    for await (const piece of answer.download?.bytes ?? []) {
      for (let from = 0; from < piece.length; from += CHUNK_BYTES) {
        await turnOf(work);
        answer.download?.givenUp?.throwIfAborted();
        post({ type: 'bytes', n, bytes: piece.subarray(from, from + CHUNK_BYTES) });
      }
    }
    return readable(answer.envelope);
  }

  async function stream(n: number, call: Call, work: Work): Promise<Envelope> {
    const { envelope, arrays } = await dispatch(call);
    if (!arrays) return envelope;
    try {
      for (;;) {
        // Before it is made, so that no piece is held that the window has no room for.
        await turnOf(work);
        // Who it is may have lost the right to the rest.
        await authenticate();
        const next = await arrays.next();
        call.signal?.throwIfAborted();
        if (next.done) return { ...envelope, data: next.value };
        post({ type: 'arrays', n, arrays: next.value });
      }
    } finally {
      await arrays.return(null);
    }
  }

  function begin(message: Extract<ClientMessage, { id: OperationId }>): void {
    const { n, type } = message;
    const operation = operationOf(message.id);
    const takes = operation.body === 'stream' ? 'upload' : SENT_AS[operation.reply];
    start(
      n,
      operation.action,
      async (work) => {
        if (type !== takes)
          return failed(operation.action, 400, `${message.id} must be sent as "${takes}", not as "${type}".`);
        if (type === 'download') return download(n, request(message, work), work);
        if (type === 'stream') return stream(n, request(message, work), work);
        const body =
          message.type === 'upload' && work.upload
            ? { bytes: work.upload.bytes, size: message.size, type: null }
            : undefined;
        return readable((await dispatch(request(message, work, body))).envelope);
      },
      type === 'upload',
    );
  }

  function handle(message: ClientMessage): void {
    switch (message.type) {
      case 'call':
      case 'upload':
      case 'download':
      case 'stream':
        return begin(message);
      // What follows may cross the reply on its way: then its request is not there any more, and that is fine.
      case 'chunk':
        return running.get(message.n)?.upload?.push(message.bytes);
      case 'end':
        return running.get(message.n)?.upload?.end();
      case 'more':
        return running.get(message.n)?.credit.grant();
      case 'cancel':
        return cancel(message.n);
      case 'subscribe':
        return hearing.subscribe(message.topic, message.filter);
      case 'unsubscribe':
        return hearing.unsubscribe(message.topic, message.filter);
    }
  }

  function cancel(n: number): void {
    const work = running.get(n);
    running.delete(n);
    work?.controller.abort();
  }

  return {
    receive(message) {
      const read = clientMessage.safeParse(message);
      if (read.success) handle(read.data);
      else
        log.warn(`A window sent what is not a message: ${read.error.issues[0]?.message ?? 'unknown shape'}`);
    },
    close() {
      for (const n of running.keys()) cancel(n);
      hearing.close();
    },
  };
}

/** The envelope as a window reads it: pages, which the store writes as JSON text, become values. */
async function readable(envelope: Envelope): Promise<Envelope> {
  if (!(envelope.data instanceof EncodedJson)) return envelope;
  const { bytes, borrowed } = envelope.data;
  const json = bytes instanceof Uint8Array ? new TextDecoder().decode(bytes) : await text(bytes);
  borrowed?.release();
  return { ...envelope, data: parseJson(json) };
}

/** Warnings of one window that are logged: enough to see what is wrong with it, whatever it goes on to send. */
const MOST_WARNINGS = 20;

function fewWarnings(log: Logger): Logger {
  let warned = 0;
  return {
    ...log,
    warn(line) {
      warned++;
      if (warned <= MOST_WARNINGS) log.warn(line);
      if (warned === MOST_WARNINGS) log.warn('Further warnings of this window are not logged.');
    },
  };
}
