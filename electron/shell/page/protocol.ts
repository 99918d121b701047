import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { protocol } from 'electron';
import { readStatic } from '#core/page/static-files.ts';
import { appPolicy } from '#core/page/content-security-policy.ts';
import { LICENCES_FILE } from '../help/licences-file.ts';
import { APP_HOST, APP_SCHEME } from './origin.ts';
import { STARTING_PATH } from './starting-page.ts';

const HEADERS = {
  'content-security-policy': appPolicy(),
  'x-content-type-options': 'nosniff',
};

const OF_FILE = { ...HEADERS, 'content-type': 'application/octet-stream' };
const OF_TEXT = { ...HEADERS, 'content-type': 'text/plain; charset=utf-8' };
/** The page says the name. */
const OF_SAVED = { ...OF_FILE, 'content-disposition': 'attachment', 'cache-control': 'no-store' };

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/** Files of the machine that a page fetches, by their paths there; null for none. */
export interface PageFiles {
  /** The path on disk of the licences of all that ships. */
  readonly licences: string;
  /** The path on disk of one that was opened. */
  readonly opened: (path: string) => string | null;
  /** One that the page saves: its bytes come as they are taken. */
  readonly saved: (path: string) => Readable | null;
}

/** Serves the built renderer from its folder, which is absolute, the page before it, and files. Must run once the app is ready. */
export function serveRenderer(directory: string, startingPage: string, files: PageFiles): void {
  const starting = { bytes: Buffer.from(startingPage), type: 'text/html; charset=utf-8' };
  protocol.handle(APP_SCHEME, async ({ method, url }) => {
    const { host, pathname } = new URL(url);
    const path = decode(pathname.slice(1));
    const isAsked = method === 'GET' && host === APP_HOST;
    const opened = isAsked ? files.opened(path) : null;
    if (opened !== null) return whole(opened, OF_FILE);
    if (isAsked && path === LICENCES_FILE) return whole(files.licences, OF_TEXT);
    const saved = isAsked ? files.saved(path) : null;
    if (saved !== null) return new Response(Readable.toWeb(saved) as ReadableStream, { headers: OF_SAVED });
    const file = isAsked ? (path === STARTING_PATH ? starting : await readStatic(directory, path)) : null;
    if (!file) return new Response('There is nothing here.', { status: 404, headers: HEADERS });
    return new Response(Buffer.from(file.bytes), { headers: { ...HEADERS, 'content-type': file.type } });
  });
}

/** A file as it is on disk, piece by piece: it may be larger than memory. */
async function whole(path: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    const file = await open(path);
    return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream, { headers });
  } catch {
    return new Response('The file is gone, or may not be read.', { status: 404, headers: HEADERS });
  }
}

/** A path with broken percent-encoding names no file. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '\0';
  }
}
