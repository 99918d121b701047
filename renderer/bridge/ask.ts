import type { CallOptions } from '#shared/bridge/bridge.ts';
import type { Envelope } from '#shared/schema/envelope.ts';
import type { CallId, InputOf, OutputOf } from '#shared/operations/index.ts';
import { screenWords } from './screen-words.ts';
import { bridge, home } from './bridge.ts';

/** A refusal of the service, in its own words for people. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(envelope: Envelope) {
    super(screenWords(envelope.message));
    this.status = envelope.status;
  }
}

/** Runs an operation; resolves with its data, rejects with `Refused`, or with what the bridge rejects with. */
export async function ask<Id extends CallId>(
  id: Id,
  input: InputOf<Id>,
  options?: CallOptions,
): Promise<OutputOf<Id>> {
  return dataOf<OutputOf<Id>>(await bridge.call(id, input, options));
}

/** Calls an operation of the service that the window is on, whichever one the page looks at. */
export async function askHome<Id extends CallId>(
  id: Id,
  input: InputOf<Id>,
  options?: CallOptions,
): Promise<OutputOf<Id>> {
  return dataOf<OutputOf<Id>>(await home.call(id, input, options));
}

/** The data of a success; throws `Refused` otherwise. */
export function dataOf<T>(envelope: Envelope<T>): T {
  if (!envelope.success) throw new Refused(envelope);
  return envelope.data as T;
}

/** Returns the message of an error, for people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
