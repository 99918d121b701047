import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { failed, succeeded } from '#shared/schema/envelope.ts';
import type { Answer } from '../api/call.ts';
import { answerTo } from '../api/answer-to.ts';
import type { Awaitable } from '../base/awaitable.ts';
import type { Logger } from '../base/logger.ts';
import { within } from '../turns/within.ts';
import { GET_AND_HEAD } from './methods.ts';
import { writeAnswer } from './reply.ts';

/** ms that a store may take to answer a probe: balancers wait for a few seconds at most. */
const ANSWER_MS = 2000;
const ACTION = 'probe';

export interface ReadinessOptions {
  /** Asks the store; throws, or rejects, where it does not answer. */
  readonly ask: () => Awaitable<unknown>;
  readonly log: Logger;
}

/** Readiness probe of a service: whether a balancer is to send it requests (docs/running.md, "Readiness probe"). */
export class Readiness {
  readonly #options: ReadinessOptions;
  #isDraining = false;
  /** The question under way, which all probes share: those of a store that is frozen would pile up. */
  #asking: Promise<Answer> | null = null;

  constructor(options: ReadinessOptions) {
    this.#options = options;
  }

  /** Whether the service is about to stop: its answers close their connections, and balancers are told to go elsewhere. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  drain(): void {
    this.#isDraining = true;
  }

  /** Adds `GET /readyz`, which needs no key. */
  addTo(app: FastifyInstance): void {
    app.route({
      method: GET_AND_HEAD,
      url: '/readyz',
      handler: ({ raw }, reply) => {
        reply.hijack();
        void this.#respond(raw, reply.raw);
      },
    });
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await writeAnswer(request, response, await this.#answer(), this.#options.log);
  }

  async #answer(): Promise<Answer> {
    if (this.#isDraining) return notReady('The service is stopping.');
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return within(this.#asking, ANSWER_MS, () =>
      notReady(`The store has not answered within ${ANSWER_MS / 1000} s.`),
    );
  }

  /** Never rejects. */
  async #ask(): Promise<Answer> {
    try {
      await this.#options.ask();
      return { envelope: succeeded(ACTION, 200, 'Ready.', { state: 'ready' }) };
    } catch (error) {
      return answerTo(ACTION, error, this.#options.log, { isV2: false });
    }
  }
}

const notReady = (why: string): Answer => ({ envelope: failed(ACTION, 503, why) });
