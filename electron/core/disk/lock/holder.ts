import type { Socket } from 'node:net';
import { UnreachableError } from '../../base/errors.ts';
import { errorCode } from '../errors.ts';
import { realFolder } from '../real-folder.ts';
import { listClaims, readClaim } from './claim.ts';
import { connectTo } from './connect.ts';

/**
 * Connects to the holder of a data folder. Rejects with UnreachableError, which says why: there is none, or it cannot be
 * reached from here.
 */
export async function reachHolder(directory: string): Promise<Socket> {
  const folder = folderOf(directory);
  const connection = await connectTo(folder);
  if (typeof connection !== 'string') return connection;
  if (connection === 'EACCES' || connection === 'EPERM')
    throw new UnreachableError(
      `The Fieldbench that uses ${directory} is another user's, who alone may ask it.`,
    );
  const [claim] = await listClaims(folder).catch((error: unknown) => {
    throw unused(directory, error);
  });
  const said = claim && (await readClaim(folder, claim));
  if (!claim || said?.text?.state !== 'holding') throw unused(directory);
  throw new UnreachableError(
    `No Fieldbench answers on ${directory}. By the file ${claim.name} there, process ${claim.pid} on ` +
      `${said.text.host} used it last: ask it there, or start it again.`,
  );
}

function folderOf(directory: string): string {
  try {
    return realFolder(directory);
  } catch (error) {
    throw unused(directory, error);
  }
}

function unused(directory: string, cause?: unknown): UnreachableError {
  const code = errorCode(cause);
  const why = code === undefined || code === 'ENOENT' ? '' : ` that could be seen (${code})`;
  return new UnreachableError(
    `No Fieldbench${why} runs on ${directory}. Start it with "npm start" or "fieldbench serve", or name another folder with --data DIR. One that runs with --in-memory has no folder: its own addresses reach it, and SIGTERM stops it.`,
    // That there is none says all; anything else is told in the system's words, too.
    why === '' ? {} : { cause },
  );
}
