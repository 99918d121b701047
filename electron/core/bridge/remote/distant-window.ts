import { failed } from '#shared/schema/envelope.ts';
import { operationIds, operationOf, type OperationId } from '#shared/operations/index.ts';
import { reads } from '#shared/operations/reads.ts';
import type { ClientMessage, Distant, PostedMessage, ServerMessage } from '#shared/bridge/wire.ts';
import { StoreError, VaultError } from '../../base/errors.ts';
import type { Logger } from '../../base/logger.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { RemoteError } from '../../remote/failure.ts';
import type { OtherServices } from '../../remote/other-services.ts';
import type { Profile } from '../../remote/profiles.ts';
import { KeptOut, readAccess, type DistantAccess } from '../../remote/read-access.ts';
import { clientMessage } from '../messages.ts';
import type { Session } from '../session.ts';
import { isAnswered } from './document/dispatch.ts';
import { openDocument } from './document/document.ts';
import { openLink, type Link } from './link.ts';

const FIRST_RETRY_MS = 250;
const LONGEST_RETRY_MS = 5_000;
/** ms between two tries of a key that is none any more. */
const KEPT_OUT_RETRY_MS = 30_000;
/** Requests that wait for the first connection. */
const MOST_WAITING = 1_000;

export interface DistantWindowOptions {
  /** Of the profile. */
  readonly id: string;
  readonly otherServices: OtherServices;
  readonly post: (message: ServerMessage | Extract<PostedMessage, { type: 'distant' }>) => void;
  readonly log: Logger;
}

/** State while connected. */
interface Connected {
  readonly profile: Profile;
  readonly access: DistantAccess;
  /** Null where the service has no windows. */
  readonly link: Link | null;
  /** Answers by the document what the link does not. */
  readonly document: Session;
  close(): void;
}

/** One window's way to one service elsewhere. A connection that is lost is said so, and made again. */
export function openDistantWindow({ id, otherServices, post, log }: DistantWindowOptions): Session {
  let told: Distant = { state: 'connecting', service: null, problem: null, rights: null, offered: [] };
  let connected: Connected | null = null;
  let waiting: ClientMessage[] = [];
  let attempt: AbortController | null = null;
  let retry: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;

  function tell(change: Partial<Distant>): void {
    const service = otherServices.list().find((one) => one.id === id) ?? null;
    told = { ...told, service, ...change };
    post({ type: 'distant', at: id, ...told });
  }

  function begin(): void {
    clearTimeout(retry);
    attempt?.abort();
    attempt = new AbortController();
    void connect(attempt.signal);
  }

  async function connect(signal: AbortSignal): Promise<void> {
    const profile = otherServices.find(id);
    if (!profile)
      return giveUp({
        state: 'unknown',
        problem: 'This machine has no other service of that address: it may have been removed from the list.',
        offered: [],
      });
    try {
      const opened = await open(profile, signal);
      if (signal.aborted) return opened.close();
      connected = opened;
      retryMs = FIRST_RETRY_MS;
      const { kind, permissions, project_ids } = opened.access;
      const offered = offeredBy(profile, opened.access);
      tell({ state: 'connected', problem: null, rights: { kind, permissions, project_ids }, offered });
      const sent = waiting;
      waiting = [];
      sent.forEach(route);
    } catch (error) {
      if (!signal.aborted) lost(error);
    }
  }

  async function open(profile: Profile, signal: AbortSignal): Promise<Connected> {
    const target = await otherServices.targetOf(profile);
    try {
      const access = await readAccess(target, signal);
      const link =
        access.kind === 'document' ? null : await openLink({ target, listener: post, lost: dropped });
      const document = openDocument({ target, name: profile.name, access, post, log });
      return {
        profile,
        access,
        link,
        document,
        close() {
          link?.close();
          document.close();
          target.close();
        },
      };
    } catch (error) {
      target.close();
      throw error;
    }
  }

  /** The link has ended by itself. */
  function dropped(why: RemoteError): void {
    if (connected) lost(why);
  }

  function lost(error: unknown): void {
    drop();
    const isKeptOut = error instanceof KeptOut;
    giveUp({ state: isKeptOut ? 'kept-out' : 'lost', problem: wordsOf(error) });
    retry = machineClock.after(isKeptOut ? KEPT_OUT_RETRY_MS : retryMs, begin);
    retryMs = Math.min(LONGEST_RETRY_MS, retryMs * 2);
  }

  function wordsOf(error: unknown): string {
    const isForeseen = [RemoteError, VaultError, StoreError].some((kind) => error instanceof kind);
    if (isForeseen && error instanceof Error) return error.message;
    log.error('A service elsewhere could not be opened', error);
    return 'It could not be opened; the log of the service here says why.';
  }

  function drop(): void {
    const before = connected;
    connected = null;
    before?.close();
  }

  /** Answers waiting and later requests with the problem. */
  function giveUp(change: Pick<Distant, 'state' | 'problem'> & Partial<Distant>): void {
    tell(change);
    const unsent = waiting;
    waiting = [];
    for (const message of unsent) refuse(message, 503, told.problem ?? '');
  }

  function refuse(message: ClientMessage, status: 403 | 503, words: string): void {
    if (!('id' in message)) return;
    const { action } = operationOf(message.id);
    post({ type: 'reply', n: message.n, envelope: failed(action, status, words) });
  }

  function route(message: ClientMessage): void {
    if (!connected) {
      if (told.state === 'connecting' && waiting.length < MOST_WAITING) waiting.push(message);
      else refuse(message, 503, told.problem ?? 'The connection was lost.');
      return;
    }
    const { profile, access, link, document } = connected;
    if (!('id' in message)) {
      // It belongs to a request that one of the two knows; the other one ignores it.
      link?.post(message);
      return document.receive(message);
    }
    if (profile.read_only && !reads(message.id))
      return refuse(message, 403, `"${profile.name}" is read-only from here: nothing is changed there.`);
    if (link && access.operations.has(message.id)) link.post(message);
    else document.receive(message);
  }

  const stopListening = otherServices.onChanged((changed) => {
    if (changed !== id) return;
    drop();
    tell({ state: 'lost', problem: 'Its settings were changed here; it is opened anew.' });
    begin();
  });
  begin();

  return {
    receive(message) {
      if (isReach(message)) {
        tell({});
        if (!connected && told.state !== 'connecting') begin();
        return;
      }
      const read = clientMessage.safeParse(message);
      if (read.success) route(read.data);
      else log.warn('A window sent what is not a message to a service elsewhere.');
    },
    close() {
      stopListening();
      clearTimeout(retry);
      attempt?.abort();
      drop();
    },
  };
}

const isReach = (message: unknown) =>
  typeof message === 'object' && message !== null && 'type' in message && message.type === 'reach';

/** Returns the operations that a window may call there. */
function offeredBy({ read_only }: Profile, access: DistantAccess): OperationId[] {
  return operationIds.filter(
    (id) =>
      // Which services it opens itself, and what it sends where, is its own machine's business.
      !/^(other-services|push)\./.test(id) &&
      (access.operations.has(id) || isAnswered(id, access)) &&
      (!read_only || reads(id)),
  );
}
