import { hostname } from 'node:os';
import { join } from 'node:path';
import { StartError } from '../../base/errors.ts';
import type { Claim, ClaimText } from './claim.ts';
import type { Identity } from './identity.ts';

/** A claim of another process that lives. */
export interface Living {
  readonly claim: Claim;
  readonly text: ClaimText | null;
}

/** Where a pid would be a stranger's to the reader, the machine or container is named. */
export function nameOf(us: Identity, { claim, text }: Living): string {
  const isHere = claim.boot === us.boot && claim.namespace === us.namespace && claim.machine === us.machine;
  return `process ${claim.pid}${isHere ? '' : ` on ${text?.host ?? 'another machine'}`}`;
}

const ASK_IT = '"npm start" or "fieldbench open" shows it, "fieldbench stop" ends it; or';

/** A folder that another service has, or wants and does not let go of. */
export function lockedBy(directory: string, us: Identity, holder: Living): StartError {
  const { claim, text } = holder;
  const isFar = text && text.host !== hostname();
  return locked(directory, nameOf(us, holder), claim.name, isFar ? 'Stop it there, or' : ASK_IT);
}

/** Returns the error for a claim of an unknown process. */
export function earlierClaim(directory: string, { name, pid }: { name: string; pid: string }): StartError {
  return new StartError(
    'unsupported-format',
    `${join(directory, name)} has the name of an earlier form of claim, which no release has written: process ${pid} may ` +
      'use the directory. This Fieldbench reads claims named lock.*.<16 hex digits> alone, and has changed nothing. Stop ' +
      'that process where it is a Fieldbench, then remove the file; or choose another folder with --data.',
  );
}

/** A folder that this very process has. */
export function lockedByUs(directory: string, { pid }: Identity): StartError {
  return locked(directory, `process ${pid}, which is this one`, null, ASK_IT);
}

function locked(directory: string, who: string, file: string | null, remedy: string): StartError {
  return new StartError(
    'locked',
    `Another Fieldbench (${who}) already uses ${directory}` +
      (file === null ? '. ' : `, as its file ${file} there says. `) +
      `${remedy} choose another folder with --data.`,
  );
}
