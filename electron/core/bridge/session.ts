import type { Envelope } from '#shared/schema/envelope.ts';
import { failed } from '#shared/schema/envelope.ts';
import { operationOf, type OperationId } from '#shared/operations/index.ts';
import { CHUNK_BYTES, type ClientMessage } from '#shared/bridge/wire.ts';
import { Credit } from '#shared/values/credit.ts';
import type { Body } from '../import/body.ts';
import type { Call, Dispatch } from '../api/call.ts';
import { answerTo } from '../api/answer-to.ts';
import { Refusal } from '../base/errors.ts';
import { IMPORT_BYTES } from '../ingest/memory-budget.ts';
import type { Logger } from '../base/logger.ts';
import { FairSemaphore, type Semaphore } from '../turns/semaphore.ts';
import { createUpload, type Upload, type Wire } from './flow.ts';
import { createEventSubscriptions, type EventSubscriptionsOptions } from './event-subscriptions.ts';
import { clientMessage } from './messages.ts';
import { readable } from './readable.ts';

/** Session of one window: the service's end of shared/bridge/wire.ts. */
export interface Session {
  /**
   * Takes whatever the window sent, of which a wire's message takes so many `bytes` of memory; what is not a message of shared/bridge/wire.ts is logged
   * and ignored.
   */
  receive(message: unknown, bytes?: number): void;
  /** Bytes of its next message have come over a wire. Throws a Refusal where there is no room for them. */
  arrives?(bytes: number): void;
  /** Cancels everything under way: the window has gone. */
  close(): void;
}

/** Options of a window's session. Its rights are checked at each request and before each event. */
export interface SessionOptions extends EventSubscriptionsOptions {
  readonly dispatch: Dispatch;
  readonly authenticate: Call['authenticate'];
  /** Absent for a window of this process. */
  readonly wire?: Wire;
  /** Begins a request that holds nothing yet of what all bodies under way share; absent where nothing is counted. */
  readonly hold?: () => Held;
  /** Pages are read into values some at a time; absent where one at a time. */
  readonly pages?: Semaphore;
}

/** A window of this process takes what it is posted, and cannot be stopped. */
const NO_WIRE: Wire = { room: () => {}, read: () => {} };

interface Held {
  /** Throws a Refusal where there is no room for so many bytes more. */
  take(bytes: number): void;
  release(): void;
}

const NOTHING_HELD: Held = { take: () => {}, release: () => {} };

/**
 * Requests of one window at once. Of calls one more is not read before one has ended; what streams waits for messages of the
 * window, which stand behind what is not read, so that is refused.
 */
const MOST_AT_ONCE = 64;

/** A request under way. */
interface Work {
  readonly controller: AbortController;
  readonly credit: Credit;
  readonly upload: Upload | null;
}

/** How an operation without a body is asked for, by what it replies with. */
const SENT_AS = { envelope: 'call', bare: 'call', stream: 'download', arrays: 'stream' } as const;

/** Opens the session of a window: by Electron's IPC or the browser console's WebSocket, which differ in `post` alone. */
export function openSession(options: SessionOptions): Session {
  const { dispatch, authenticate, post, wire = NO_WIRE } = options;
  const { hold = () => NOTHING_HELD, pages = new FairSemaphore(1).of(null) } = options;
  const log = fewWarnings(options.log);
  const running = new Map<number, Work>();
  const calls = new FairSemaphore(MOST_AT_ONCE).of(null);
  /** Reservation of the frames of the next message. */
  const gathered = hold();
  /** Until they have ended, also of those that were cancelled. */
  const underWay = { calls: 0, streams: 0 };
  const subscriptions = createEventSubscriptions({ ...options, log });

  /** Runs a request and posts its reply, unless it was cancelled: then no one waits for one. */
  function start(
    n: number,
    action: string,
    run: (work: Work) => Promise<Envelope>,
    withUpload: boolean,
  ): void {
    if (running.has(n)) return log.warn(`A window sent request ${n} twice; the second one is ignored.`);
    const controller = new AbortController();
    const { signal } = controller;
    const upload = withUpload
      ? createUpload(signal, () => running.has(n) && post({ type: 'more', n }))
      : null;
    const work: Work = { controller, credit: new Credit(signal), upload };
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

  async function counted(kind: 'calls' | 'streams', run: () => Promise<Envelope>): Promise<Envelope> {
    if (kind === 'streams' && underWay.streams === MOST_AT_ONCE)
      throw new Refusal(
        429,
        `At most ${MOST_AT_ONCE} files and charts may be under way at once in a window. Try again when one of them is done.`,
      );
    underWay[kind]++;
    if (underWay.calls >= MOST_AT_ONCE) wire.read(false);
    try {
      return await run();
    } finally {
      underWay[kind]--;
      if (underWay.calls < MOST_AT_ONCE) wire.read(true);
    }
  }

  const request = (
    message: { readonly id: OperationId; readonly input: unknown },
    work: Work,
    body: Body | null = null,
  ): Call => ({
    id: message.id,
    input: message.input,
    authenticate,
    signal: work.controller.signal,
    ...(body && { body }),
  });

  /** The right to send one bulk message. What a window gave up may still be on its way: that counts for no credit. */
  async function turnOf({ credit, controller: { signal } }: Work): Promise<void> {
    await credit.room();
    credit.spend();
    await wire.room();
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
    return answer.envelope;
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

  function begin(message: Extract<ClientMessage, { id: OperationId }>, bytes: number): void {
    const { n, type } = message;
    const { action, body, reply } = operationOf(message.id);
    const takes = body === 'stream' ? 'upload' : SENT_AS[reply];
    const held = hold();
    async function run(work: Work): Promise<Envelope> {
      const { signal } = work.controller;
      switch (message.type) {
        case 'download':
          return download(n, request(message, work), work);
        case 'stream':
          return stream(n, request(message, work), work);
        case 'upload': {
          held.take(IMPORT_BYTES);
          const file = work.upload && { bytes: work.upload.bytes, size: message.size, type: null };
          return (await dispatch(request(message, work, file))).envelope;
        }
        case 'call':
          return calls.run(
            async () => readable((await dispatch(request(message, work))).envelope, { pages, wire, signal }),
            signal,
          );
      }
    }
    start(
      n,
      action,
      async (work) => {
        if (type !== takes)
          return failed(action, 400, `${message.id} must be sent as "${takes}", not as "${type}".`);
        try {
          held.take(bytes);
          return await counted(type === 'call' ? 'calls' : 'streams', () => run(work));
        } finally {
          held.release();
        }
      },
      type === 'upload',
    );
  }

  function handle(message: ClientMessage, bytes: number): void {
    switch (message.type) {
      case 'call':
      case 'upload':
      case 'download':
      case 'stream':
        return begin(message, bytes);
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
        return subscriptions.subscribe(message.topic, message.filter);
      case 'unsubscribe':
        return subscriptions.unsubscribe(message.topic, message.filter);
    }
  }

  function cancel(n: number): void {
    const work = running.get(n);
    running.delete(n);
    work?.controller.abort();
  }

  return {
    arrives: (bytes) => gathered.take(bytes),
    receive(message, bytes = 0) {
      gathered.release();
      const sent = clientMessage.safeParse(message);
      if (sent.success) handle(sent.data, bytes);
      else
        log.warn(`A window sent what is not a message: ${sent.error.issues[0]?.message ?? 'unknown shape'}`);
    },
    close() {
      for (const n of running.keys()) cancel(n);
      gathered.release();
      subscriptions.close();
    },
  };
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
