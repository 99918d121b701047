import { expect, type Page, type WebSocketRoute } from '@playwright/test';
import type { AnyEvent } from '#shared/domain/events.ts';
import { decodeMessage, encodeMessage, type PostedMessage, type WindowMessage } from '#shared/bridge/wire.ts';
import type { InputOf, OperationId, OutputOf } from '#shared/operations/index.ts';

/* A socket of the console that a story has in its hands: it goes away and comes back, or some of its answers are the story's own. */

/** An answer that does not come. */
export const SILENCE = Symbol('silence');

type Answer<Id extends OperationId> = OutputOf<Id> | Error | typeof SILENCE | undefined;
type Answers = { readonly [Id in OperationId]?: (input: InputOf<Id>) => Answer<Id> };

export interface Answered {
  /** Tells the page of something, as the service would. */
  readonly tell: (event: AnyEvent) => void;
  /** Closes the connection, after which the page makes another one. */
  readonly cut: () => Promise<void>;
}

/** Loads the page anew with these answers, for what would take hours, or thousands of devices; an Error is a refusal with its words. All else, and what has none (undefined), is the service's. */
export async function answerOf(page: Page, answers: Answers): Promise<Answered> {
  let open: WebSocketRoute | null = null;
  const answerTo = (id: OperationId, input: unknown): unknown => {
    // The table of answers is typed by operation; the compiler cannot follow that through its name.
    const answer = answers[id] as ((input: unknown) => unknown) | undefined;
    return answer?.(input);
  };
  await page.routeWebSocket(/./, (socket) => {
    open = socket;
    const service = socket.connectToServer();
    socket.onMessage((frame) => {
      const message = (typeof frame === 'string' ? null : decodeMessage(frame)) as WindowMessage | null;
      const data = message?.type === 'call' ? answerTo(message.id, message.input) : undefined;
      if (message?.type !== 'call' || data === undefined) return service.send(frame);
      if (data === SILENCE) return;
      const isRefusal = data instanceof Error;
      const envelope = {
        success: !isRefusal,
        action: message.id,
        status: isRefusal ? (400 as const) : (200 as const),
        message: isRefusal ? data.message : '',
        data: isRefusal ? null : data,
      };
      const reply: PostedMessage = { type: 'reply', n: message.n, envelope };
      socket.send(Buffer.from(encodeMessage(reply)));
    });
  });
  await page.reload();
  return {
    tell: (event) => open?.send(Buffer.from(encodeMessage({ type: 'event', ...event }))),
    cut: async () => open?.close(),
  };
}

/** Loads the page anew; returns what takes its connection away while `meanwhile` runs. */
export async function losesConnection(
  page: Page,
): Promise<(meanwhile: () => Promise<void>) => Promise<void>> {
  let open: WebSocketRoute | null = null;
  let isAway = false;
  await page.routeWebSocket(/./, async (socket) => {
    if (isAway) return socket.close();
    open = socket;
    socket.connectToServer();
  });
  await page.reload();
  return async (meanwhile) => {
    isAway = true;
    await open?.close();
    await expect(page.getByRole('alert')).toContainText('cannot be reached');
    await meanwhile();
    isAway = false;
  };
}
