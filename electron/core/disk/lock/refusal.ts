import { hostname } from 'node:os';
import { StartError } from '../../base/errors.ts';
import type { Claim, ClaimText } from './claim.ts';
import type { EarlierClaim } from './earlier-form.ts';
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

/** A folder that a service of an earlier version has: not all of those can be asked to stop. */
export function lockedByEarlier(directory: string, { name, pid }: EarlierClaim): StartError {
  return locked(directory, `process ${pid}, of an earlier version`, name, 'Stop that one, or');
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
