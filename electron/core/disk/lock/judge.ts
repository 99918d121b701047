import { errorCode } from '../errors.ts';
import type { Claim, ClaimText } from './claim.ts';
import { processState, UNKNOWN, type Identity } from './identity.ts';
import type { Probe } from './connect.ts';

/** Whether the process of a claim lives; `unknown` where only watching the claim tells. */
export type Verdict = 'alive' | 'dead' | 'unknown';

/** Facts about processes on this machine; tests bring their own. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Of a process of our own pid namespace. */
  readonly processState: typeof processState;
  /** False where there is certainly no such process. */
  readonly mayRun: (pid: number) => boolean;
  /** Probes the socket of the folder. */
  readonly probe: () => Promise<Probe>;
}

/** The real ones, but for the folder's socket. */
export const thisMachine: Omit<Surroundings, 'probe'> = {
  platform: process.platform,
  processState,
  mayRun(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // EPERM: it is there and belongs to another user.
      return errorCode(error) !== 'ESRCH';
    }
  },
};

/**
 * Judges another process's claim by what is certain at once. A pid is only looked up where it means the same process
 * to us: in a container, and on another machine of a shared folder, it is a stranger's.
 */
export async function judge(
  claim: Claim,
  text: ClaimText | null,
  us: Identity,
  around: Surroundings,
): Promise<Verdict> {
  const sameKernel = claim.boot !== UNKNOWN && claim.boot === us.boot;
  const sameMachine = claim.machine !== UNKNOWN && claim.machine === us.machine;
  const bootsKnown = claim.boot !== UNKNOWN && us.boot !== UNKNOWN;
  // The machine was restarted since.
  if (sameMachine && bootsKnown && !sameKernel) return 'dead';

  const samePids =
    around.platform === 'linux'
      ? sameKernel && claim.namespace !== UNKNOWN && claim.namespace === us.namespace
      : sameMachine;
  if (samePids) {
    // This process's own claims are not judged: one of its pid is what a killed one has left, or it could not remove.
    if (claim.pid === us.pid || !around.mayRun(claim.pid)) return 'dead';
    const found = claim.start === UNKNOWN ? null : await around.processState(claim.pid);
    if (found) {
      const gone = found.state === 'Z' || found.state === 'X';
      return !gone && found.start === claim.start ? 'alive' : 'dead';
    }
  }
  const answer = await around.probe();
  if (answer === 'answered') return 'alive';
  // A socket in the folder is one for all that run on this kernel. On a Mac a full queue refuses, too; only Linux is sure.
  const decisive = around.platform === 'linux' && sameKernel && text?.socket === 'folder';
  if (decisive && answer === 'refused') return 'dead';
  // A pipe of Windows goes with its process, whose pid another one may have by now.
  const hadPipe = around.platform === 'win32' && text?.state === 'holding' && text.socket === 'machine';
  return samePids && hadPipe && answer === 'absent' ? 'dead' : 'unknown';
}
