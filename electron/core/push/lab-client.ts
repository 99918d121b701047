import type { IncomingMessage } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { operationOf, type OperationId, type OutputOf } from '#shared/operations/index.ts';
import { addressOf, withQuery } from '#shared/schema/path-parameters.ts';
import { formatMicros, parseInstant } from '#shared/values/time.ts';
import { machineClock } from '../base/machine-clock.ts';
import { Agent, request as plainRequest } from '../net/node-http.ts';
import type { Address } from '../remote/address.ts';
import { answerText } from '../remote/answer-text.ts';
import { remoteError } from '../remote/failure.ts';
import { trustOf } from '../remote/trust.ts';
import { isJustNow, readAnswer } from './answer.ts';
import { LabLost, LabRefusal, type Lab } from './lab.ts';

export interface LabOptions {
  readonly address: Address;
  readonly key: string;
  /** Whom to believe (remote/trust.ts), PEM; null: whoever this machine trusts anyway. */
  readonly certificate: string | null;
  readonly signal: AbortSignal;
}

/** A lab that says nothing for so long, in ms, is lost. */
const SILENCE_MS = 120_000;
/** How often something is sent again that the lab has no room for, and for how long it is waited at most, in s. */
const MOST_TRIES = 6;
const MOST_WAIT_S = 10;
const USUAL_WAIT_S = 1;

interface Sent {
  readonly input: Readonly<Record<string, unknown>>;
  /** Of an upload. */
  readonly lines?: Uint8Array;
}

/** Asks another Fieldbench over HTTPS. */
export function createLabClient({ address, key, certificate, signal }: LabOptions): Lab {
  const isSecure = !address.isPlain;
  const agent = isSecure
    ? new SecureAgent({ keepAlive: true, ...trustOf(address, certificate) })
    : new Agent({ keepAlive: true });
  const base = address.url;
  let sentBytes = 0;

  async function call<Id extends OperationId>(id: Id, { input, lines }: Sent): Promise<OutputOf<Id>> {
    const { method, path } = operationOf(id);
    const { path: filled, rest } = addressOf(path, input);
    const body = lines ?? Buffer.from(JSON.stringify(rest));
    const url = `${base}${lines ? withQuery(filled, rest) : filled}`;
    const type = lines ? 'application/x-ndjson' : 'application/json';
    for (let tries = 1; ; tries++) {
      sentBytes += body.length;
      const { answer, retryS } = await exchange(url, method, type, body);
      if (answer.success) return outputOf(id, answer.data);
      if (!isJustNow(answer)) throw new LabRefusal(answer.status, answer.message);
      if (tries === MOST_TRIES) throw lost(`${base}: ${answer.message}`);
      await machineClock.delay(Math.min(retryS, MOST_WAIT_S) * 1000, { signal });
    }
  }

  async function exchange(url: string, method: string, type: string, body: Uint8Array) {
    try {
      const response = await answered(url, method, type, body);
      const { statusCode = 0, headers } = response;
      return {
        answer: readAnswer(statusCode, await answerText(response), body.length),
        retryS: secondsIn(headers['retry-after']),
      };
    } catch (cause) {
      signal.throwIfAborted();
      throw lost(remoteError(base, cause).message, cause);
    }
  }

  function answered(url: string, method: string, type: string, body: Uint8Array): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': type,
      'content-length': body.length,
    };
    const ask = isSecure ? secureRequest : plainRequest;
    const asking = ask(url, { method, agent, headers, signal, timeout: SILENCE_MS }, resolve);
    asking.once('timeout', () => asking.destroy(new Error(`nothing for ${SILENCE_MS / 1000} s`)));
    asking.once('error', reject);
    asking.end(body);
    return promise;
  }

  return {
    get sentBytes() {
      return sentBytes;
    },
    look: (asked) => call('sync.look', { input: asked }),
    addProject: async (project) => (await call('sync.add-project', { input: project })).added,
    addDevice: async (device) => (await call('sync.add-device', { input: device })).added,
    updateProject: async (project_id, fields) =>
      void (await call('projects.update', { input: { project_id, ...fields } })),
    updateDevice: async (place, fields) =>
      void (await call('devices.update', { input: { ...place, ...fields } })),
    async digests(place, { start, end }, parts) {
      const range = { start: formatMicros(start), end: formatMicros(end) };
      const found = await call('sync.digest', { input: { ...place, ...range, parts } });
      return found.parts.map((part) => ({ ...part, start: micros(part.start), end: micros(part.end) }));
    },
    ids: (place, { start, end }, prefix) =>
      call('sync.ids', {
        input: { ...place, start: formatMicros(start), end: formatMicros(end), prefix },
      }),
    merge: (place, lines, removed) => call('sync.merge', { input: { ...place, removed }, lines }),
    mergeCorrections: (place, versions, isDryRun) =>
      call('sync.corrections', { input: { ...place, versions, dry_run: isDryRun } }),
    mergeRows: async (project_id, rows, isDryRun) =>
      (await call('sync.rows', { input: { project_id, rows, dry_run: isDryRun } })).outcomes,
    noteJudged: async (project_id, judged) =>
      void (await call('sync.rows', { input: { project_id, rows: [], judged } })),
    rehearse: async (lines) => void (await call('sync.rehearse', { input: {}, lines })),
    close: () => agent.destroy(),
  };
}

function micros(text_: string): number {
  const read = parseInstant(text_);
  if (read === null) throw new LabLost(`The lab answers what is no time: ${text_.slice(0, 40)}.`);
  return read;
}

/** Returns the output of an operation. Throws where the lab answers otherwise. */
function outputOf<Id extends OperationId>(id: Id, data: unknown): OutputOf<Id> {
  const { action, output } = operationOf(id);
  const read = output.safeParse(data);
  if (read.success) return read.data as OutputOf<Id>;
  const [issue] = read.error.issues;
  throw new LabLost(
    `The lab answers "${action}" with what a Fieldbench does not: ${['data', ...(issue?.path ?? [])].join('.')}: ${issue?.message}.`,
  );
}

/** A date, too, may stand there (RFC 9110, 10.2.3); ours never do. */
const secondsIn = (retryAfter: string | undefined): number => Number(retryAfter) || USUAL_WAIT_S;

const lost = (why: string, cause?: unknown) =>
  new LabLost(`${why} Nothing that it had stored is lost: the same push goes on from there.`, { cause });
