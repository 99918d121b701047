import { readFileSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { z } from 'zod';
import { errorCode } from '#core/disk/errors.ts';
import { parseJson } from '#shared/values/json.ts';

/** Says, in its first line that is no remark (#), where the newest version is named. Installers of the app leave it where it is. */
export const FEED_FILE = 'fieldbench-updates.txt';

/** Why nobody can say which version is the newest, in words for people. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
}

/** The newest version, as a feed has it: docs/install.md, "Updates". */
export interface Newest {
  /** As 0.2.0. */
  readonly version: string;
  /** Where people read of it and get it. */
  readonly page: string;
}

/** A fetch of WHATWG's, or Electron's, which goes by the proxy and the authorities of the system. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Returns where the feed's file would be: beside the program, where whoever may write may replace the program, too; on a Mac
 * beside the .app, whose contents are signed.
 */
export function feedFile(program: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'win32') return win32.join(win32.dirname(program), FEED_FILE);
  if (platform === 'darwin') return posix.join(program, '../../../..', FEED_FILE);
  return posix.join(posix.dirname(program), FEED_FILE);
}

/** Bytes of an answer. */
const MOST_BYTES = 64 * 1024;
/** ms for all of it. */
const PATIENCE_MS = 15_000;

const newest = z.object({
  version: z.string().regex(/^\d{1,6}(?:\.\d{1,6}){2}$/),
  page: z.url({ protocol: /^https$/ }).max(2000),
});

/**
 * Asks the feed that a file names for the newest version; nothing but the request is sent. Rejects with FeedError, which
 * names the file, or the address.
 */
export async function askFeed(
  file: string,
  fetch: Fetch,
  patienceMs: number = PATIENCE_MS,
): Promise<Newest & { readonly address: string }> {
  const address = addressIn(file);
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const answer = await fetch(address, {
      signal,
      // To another address, or one without TLS.
      redirect: 'error',
      credentials: 'omit',
      cache: 'no-store',
      headers: { accept: 'application/json' },
    });
    if (!answer.ok) throw new FeedError(`${address} answered with ${answer.status}.`);
    return { ...newestIn(address, await textOf(address, answer)), address };
  } catch (error) {
    if (error instanceof FeedError) throw error;
    if (signal.aborted)
      throw new FeedError(`${address} has not answered within ${patienceMs / 1000} seconds.`, {
        cause: error,
      });
    throw new FeedError(`${address} cannot be asked. ${wordsOf(error)}`, { cause: error });
  }
}

/** Throws FeedError. */
function addressIn(file: string): string {
  let text;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new FeedError(`${file} cannot be read (${errorCode(error) ?? String(error)}).`, { cause: error });
  }
  const line =
    text
      .replace(/^\uFEFF/, '')
      .split('\n')
      .map((each) => each.trim())
      .find((each) => each !== '' && !each.startsWith('#')) ?? '';
  if (URL.parse(line)?.protocol !== 'https:')
    throw new FeedError(
      `The first line of ${file} has to be an address that begins with https://, and is "${line.slice(0, 100)}".`,
    );
  return line;
}

/** Rejects with FeedError where it is too long for what is asked. */
async function textOf(address: string, answer: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > MOST_BYTES) throw new FeedError(`${address} answered with more than ${MOST_BYTES} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** Throws FeedError. */
function newestIn(address: string, text: string): Newest {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    value = null;
  }
  const found = newest.safeParse(value);
  if (found.success) return found.data;
  throw new FeedError(
    `${address} has to answer with {"version": "0.2.0", "page": "https://…"}, and answered with something else.`,
  );
}

/** Of Node's fetch the code is in the cause, of Electron's in the message: net::ERR_…. */
function wordsOf(error: unknown): string {
  const code =
    errorCode(error instanceof Error ? error.cause : null) ??
    errorCode(error) ??
    (error instanceof Error ? error.message : String(error));
  if (
    /redirect/i.test(
      `${code} ${error instanceof Error && error.cause instanceof Error ? error.cause.message : ''}`,
    )
  )
    return 'It leads to another address: name that one.';
  return /CERT|SELF_SIGNED|VERIFY/.test(code)
    ? `Its certificate is not one that this computer trusts (${code}).`
    : `Is this computer on the network, and is the address right? (${code})`;
}

const numbers = new Intl.Collator('en', { numeric: true });

/** Whether a version is newer than this one, which may be a preview of it: 0.2.0-beta.1. */
export function isNewer(found: string, own: string): boolean {
  const [core = own] = own.split('-');
  const order = numbers.compare(found, core);
  return order > 0 || (order === 0 && core !== own);
}
