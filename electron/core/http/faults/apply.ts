import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { failed, type Status } from '#shared/schema/envelope.ts';
import type { Answer } from '../../api/call.ts';
import type { Logger } from '../../base/logger.ts';
import { delayed, wordsOf, type Act } from '../../faults/act.ts';
import * as http from '../../net/node-http.ts';
import { itsTurn, writeAnswer } from '../reply.ts';
import { endTrace, endUnanswered, type RequestTrace, type TraceSink } from '../request-trace.ts';
import { FaultySink } from './faulty-sink.ts';
import type { HttpFaults } from './meet.ts';

/** A request, and where its answer and its trace go. */
interface Asked {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly trace: RequestTrace;
  readonly traces: TraceSink;
  readonly log: Logger;
}

/** What becomes of a request in the place of what the service would do: an answer, or none, why, and what is done then. */
type Instead = { readonly answer: Answer } | { readonly lost: string; readonly end: () => void };

/**
 * Answers a request that may meet a rule under the one that it meets; resolves with whether there is one. `usual` makes the answer of
 * the service, and never rejects; `action` is that of its envelope. Never rejects.
 */
export async function metFault(
  faults: HttpFaults,
  action: string,
  asked: Asked,
  usual: () => Promise<Answer>,
): Promise<boolean> {
  const act = await faults.meet(asked.request, asked.traces.door, asked.trace);
  if (act !== null) await answerUnder(act, action, asked, usual);
  return act !== null;
}

/** Answers a request as an act has it. */
async function answerUnder(
  act: Act,
  action: string,
  asked: Asked,
  usual: () => Promise<Answer>,
): Promise<void> {
  const { request, response, trace, traces, log } = asked;
  await itsTurn(response);
  await delayed(act);
  const instead = insteadOf(act, request, action);
  if (instead !== null && 'lost' in instead) {
    endUnanswered(traces, request, instead.lost, trace);
    instead.end();
    return;
  }
  const mend = act.failDisk?.();
  const answer = instead?.answer ?? (await usual());
  mend?.();
  endTrace(traces, request, answer.envelope, trace);
  await writeAs(act, request, response, answer, log);
}

/** What becomes of a request before the service looks at it; null where the service is to answer it. */
function insteadOf(act: Act, request: IncomingMessage, action: string): Instead | null {
  const { refuse, status, drop, after_store, message, retry_after_s } = act.do;
  if (refuse)
    return {
      lost: wordsOf(act, 'the connection was closed'),
      end: () => void request.socket.destroy(),
    };
  if (status !== undefined) {
    const words = message ?? wordsOf(act, `it answers ${status}`);
    // Others than the service has itself are the rig's to choose.
    const envelope = failed(action, status as Status, words);
    return { answer: { envelope, ...(retry_after_s !== undefined && { retry_after_s }) } };
  }
  if (drop && !after_store)
    return { lost: wordsOf(act, 'it is not answered'), end: () => hold(act, request) };
  return null;
}

/** Writes an answer as the act has it: whole, slowly, a part of it, or nothing. Never rejects. */
async function writeAs(
  act: Act,
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  log: Logger,
): Promise<void> {
  const { cut_after_bytes, bytes_per_s, drop } = act.do;
  if (cut_after_bytes === undefined && bytes_per_s === undefined && !drop)
    return writeAnswer(request, response, answer, log);
  await itsTurn(response);
  // Read as ever, so that who makes the answer comes to an end.
  const sink = new FaultySink(request.socket, {
    most: drop ? 0 : (cut_after_bytes ?? Infinity),
    bytesPerS: bytes_per_s ?? Infinity,
    isSilent: drop === true,
    ending: act.ending,
  });
  const written = new http.ServerResponse(request);
  written.setHeader('connection', 'close');
  // All that Node's response asks of it is a stream: fastify's inject has one, too (light-my-request).
  written.assignSocket(sink as unknown as Socket);
  await writeAnswer(request, written, answer, log);
  sink.endBehind(written);
  if (drop) hold(act, request);
}

/** Keeps a request without an answer, until its client or the rule ends. */
function hold({ ending }: Act, request: IncomingMessage): void {
  const { socket } = request;
  // What its client still sends is taken: it waits for an answer, and not for a place to put it.
  request.resume();
  const leave = ending.tell(() => socket.destroy());
  socket.once('close', leave);
}
