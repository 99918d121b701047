import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { unlessTooLate, type Session as CdpSession } from '../chromium.ts';
import { createCodec } from '../clone.ts';
import { BINDING, DELIVER, ISOLATED_WORLD, isolatedWorldScript, mainWorldScript } from './page-scripts.ts';

/** What crosses between a preload and the main process. With `n` it is an invocation, or the answer to one. */
export interface Message {
  readonly n?: number;
  readonly channel: string;
  readonly args: readonly unknown[];
  /** All that is left of an error that a handler threw. */
  readonly error?: string;
}

const codec = createCodec();

/** Runs the preload in an isolated world of each document that the main frame loads, and carries its messages. */
export class PreloadChannel {
  readonly #receive: (message: Message) => void;
  #page: CdpSession | null = null;
  /** Where the preload runs; null while there is no document. */
  #world: number | null = null;

  constructor(receive: (message: Message) => void) {
    this.#receive = receive;
  }

  /** Must run before the page loads anything. */
  async open(page: CdpSession, frameId: string, preload: string): Promise<void> {
    this.#page = page;
    page.on('Runtime.executionContextCreated', ({ context: { id, name, auxData } }) => {
      if (name === ISOLATED_WORLD && (auxData as { frameId: string }).frameId === frameId) this.#world = id;
    });
    page.on('Runtime.executionContextDestroyed', ({ executionContextId }) => {
      if (this.#world === executionContextId) this.#world = null;
    });
    page.on('Runtime.bindingCalled', ({ name, payload, executionContextId }) => {
      if (name === BINDING && executionContextId === this.#world)
        this.#receive(codec.decode(payload) as Message);
    });
    page.on('Runtime.exceptionThrown', ({ exceptionDetails: { executionContextId, exception, text } }) => {
      if (executionContextId !== this.#world) return;
      process.stderr.write(`preload: ${exception?.description ?? text}\n`);
    });
    const secret = randomUUID();
    const source = isolatedWorldScript(secret, readFileSync(preload, 'utf8'));
    await page.send('Runtime.enable');
    await page.send('Runtime.addBinding', { name: BINDING, executionContextName: ISOLATED_WORLD });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source: mainWorldScript(secret) });
    await page.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName: ISOLATED_WORLD });
  }

  /** As in Electron, what cannot be cloned is lost with a line on stderr (electron/lib/browser/api/web-frame-main.ts). */
  send(message: Message): void {
    let text: string;
    try {
      text = codec.encode(message);
    } catch (error) {
      process.stderr.write(`Error sending from webFrameMain: ${String(error)}\n`);
      return;
    }
    const world = this.#world;
    if (world === null || this.#page === null) return;
    const sent = this.#page.send('Runtime.callFunctionOn', {
      executionContextId: world,
      functionDeclaration: `function (text) { ${DELIVER}(text); }`,
      arguments: [{ value: text }],
    });
    void sent.catch(unlessTooLate);
  }

  close(): void {
    this.#world = null;
  }
}
