import type { Socket } from 'node:net';
import { StartError, type StoreError } from '../../base/errors.ts';
import { machineClock } from '../../base/machine-clock.ts';
import { startError } from '../errors.ts';
import { makeFolders } from '../make-folders.ts';
import { realFolder } from '../real-folder.ts';
import { Heartbeat } from './heartbeat.ts';
import { findEarlierClaim, isClaim, listClaims, newClaim, putDown, readClaim, removeClaim } from './claim.ts';
import { ownIdentity, type Identity } from './identity.ts';
import { judge, thisMachine } from './judge.ts';
import { NAME as SOCKET } from './places.ts';
import { probe } from './connect.ts';
import { earlierClaim, lockedBy, lockedByUs, nameOf, type Living } from './refusal.ts';
import { listenIn } from './socket.ts';
import { BEAT_MS, watch, watchMs } from './watch.ts';

/*
 * One service a data folder. Each process that wants the folder first puts down a claim and then looks for other claims.
 * Of two processes at least one sees the other, so never both hold the folder. Whose claim is a dead process's is
 * certain at once on one machine; what another machine or container has left is watched for a while
 * (docs/decisions.md, "Who uses a data directory").
 */

export interface Lock {
  /** Why nothing may be written any more: another process has taken the folder for itself. Null while it is ours. */
  lost(): StoreError | null;
  /** Called once, at the moment that this is found out. */
  onLost(listener: (why: StoreError) => void): void;
  /** Hands over who connects to the folder's socket, those who came before included. */
  serve(listener: (socket: Socket) => void): void;
  /** Where the socket is not the folder's own and why, for people to read; null where it is. */
  readonly note: string | null;
  /** Cuts who is connected and gives the folder back. */
  release(): Promise<void>;
}

/** Whether a file of this name is a claim on a folder, or its holder's socket. */
export const isLockFile = (name: string) => isClaim(name) || name === SOCKET;

/** How often a process that waits for another one's decision looks again, and after how many watches it gives up. */
const RETRY_MS = 10;
const PATIENCE = 3;

export interface LockOptions {
  /** Gets a line before it has to watch another's claim for some seconds. */
  readonly say?: (line: string) => void;
  /** How often the claim is said anew; one for all who share a folder. */
  readonly beatMs?: number;
  /** Ends the wait for others; its reason, a StartError, is thrown. */
  readonly signal?: AbortSignal;
}

/** Context of taking a folder. */
interface Taking extends Required<Omit<LockOptions, 'signal'>> {
  readonly signal: AbortSignal | undefined;
  /** Its real path. */
  readonly folder: string;
  /** As it was named. */
  readonly directory: string;
  readonly us: Identity;
}

/** Folders that this process holds or is about to, and its claims. */
const ours = new Set<string>();
const ourClaims = new Set<string>();

/**
 * Takes the data folder for this process, making it where there is none. Throws StartError: `locked` with the pid, and
 * the host where it is another, of the one that holds it; `unsupported-format`, `read-only`, `disk-full`; the signal's reason.
 */
export async function acquireLock(
  directory: string,
  { say = () => {}, beatMs = BEAT_MS, signal }: LockOptions = {},
): Promise<Lock> {
  try {
    makeFolders(directory, 0o700);
    const folder = realFolder(directory);
    const us = await ownIdentity();
    if (ours.has(folder)) throw lockedByUs(directory, us);
    ours.add(folder);
    try {
      const earlier = await findEarlierClaim(folder);
      if (earlier) throw earlierClaim(directory, earlier);
      return await hold({ folder, directory, us, say, beatMs, signal });
    } catch (error) {
      ours.delete(folder);
      throw error;
    }
  } catch (error) {
    throw error instanceof StartError ? error : startError(error, directory);
  }
}

async function hold(taking: Taking): Promise<Lock> {
  const { folder, directory, us, beatMs, signal } = taking;
  const until = machineClock.wallMs() + PATIENCE * watchMs(beatMs);
  let mine: Heartbeat | null = null;
  const withdraw = async () => {
    const own = mine;
    mine = null;
    if (own) await own.end();
  };
  try {
    for (;;) {
      signal?.throwIfAborted();
      const [other] = await living(taking);
      if (!other && mine) return await keep(folder, mine);
      if (!other) {
        mine = await claimed(taking);
        continue;
      }
      if (other.text?.state === 'holding' || machineClock.wallMs() > until)
        throw lockedBy(directory, us, other);
      // Of several that start together the first by name keeps its claim while the others wait, so that one gets through.
      if (mine && other.claim.name < mine.claim.name) await withdraw();
      await machineClock.delay(RETRY_MS);
    }
  } catch (error) {
    await withdraw();
    throw error;
  }
}

async function claimed({ folder, us, beatMs }: Taking): Promise<Heartbeat> {
  const claim = newClaim(us);
  ourClaims.add(claim.name);
  await putDown(folder, claim);
  return new Heartbeat(folder, claim, () => ourClaims.delete(claim.name), beatMs);
}

async function keep(folder: string, beat: Heartbeat): Promise<Lock> {
  // First the claim: one that stood still for too long has none by now, and must not touch another's socket.
  await beat.hold('nowhere');
  const socket = await listenIn(folder);
  await beat.hold(socket.where);
  let held = true;
  beat.onLost(() => socket.abandon());
  return {
    lost: () => beat.lost(),
    onLost: (listener) => beat.onLost(listener),
    serve: (listener) => socket.serve(listener),
    note:
      socket.problem === null
        ? null
        : `The data directory takes no socket (${socket.problem}): ` +
          (socket.where === 'machine'
            ? '"fieldbench open", "status" and "stop" work on this machine alone.'
            : '"fieldbench open", "status" and "stop" do not work.'),
    async release() {
      if (!held) return;
      held = false;
      const cut = beat.lost() ? () => {} : socket.close();
      try {
        await beat.end();
      } finally {
        // Who waits for the end may use the folder from then on.
        cut();
      }
      ours.delete(folder);
    },
  };
}

/** The claims of other processes that live, the holder's first; those of dead ones are removed. */
async function living({ folder, directory, us, say, beatMs, signal }: Taking): Promise<Living[]> {
  const around = { ...thisMachine, probe: once(() => probe(folder)) };
  const found = await Promise.all(
    (await listClaims(folder)).map(async (claim): Promise<Living | null> => {
      if (ourClaims.has(claim.name)) return null;
      const said = await readClaim(folder, claim);
      if (!said) return null;
      const verdict = await judge(claim, said.text, us, around);
      if (verdict === 'unknown') {
        const who = nameOf(us, { claim, text: said.text });
        const seconds = Math.ceil(watchMs(beatMs) / 1000);
        say(`Another Fieldbench (${who}) used ${directory}. Looking for ${seconds} s whether it still does.`);
      }
      const lives =
        verdict === 'alive' ||
        (verdict === 'unknown' && (await watch(folder, claim, said.raw, beatMs, signal)));
      if (lives) return { claim, text: said.text };
      await removeClaim(folder, claim);
      return null;
    }),
  );
  return found
    .filter((one) => one !== null)
    .toSorted((a, b) => Number(b.text?.state === 'holding') - Number(a.text?.state === 'holding'));
}

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => (answer ??= ask());
}
