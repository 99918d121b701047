import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { protocol } from 'electron';
import { readStatic } from '#core/page/static-files.ts';
import { appPolicy } from '#core/page/content-security-policy.ts';
import { APP_HOST, APP_SCHEME } from './origin.ts';
import { STARTING_PATH } from './starting-page.ts';

const HEADERS = {
  'content-security-policy': appPolicy(),
  'x-content-type-options': 'nosniff',
};

/** Must run before the app is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
    },
  ]);
}

/**
 * Serves the built renderer from its folder, which is absolute, the page before it, and files that were opened, by what
 * `openedAt` has for a path. Must run once the app is ready.
 */
export function serveRenderer(
  directory: string,
  startingPage: string,
  openedAt: (path: string) => string | null,
): void {
  const starting = { bytes: Buffer.from(startingPage), type: 'text/html; charset=utf-8' };
  protocol.handle(APP_SCHEME, async ({ method, url }) => {
    const { host, pathname } = new URL(url);
    const path = decode(pathname.slice(1));
    const isAsked = method === 'GET' && host === APP_HOST;
    const opened = isAsked ? openedAt(path) : null;
    if (opened !== null) return whole(opened);
    const file = isAsked ? (path === STARTING_PATH ? starting : await readStatic(directory, path)) : null;
    if (!file) return new Response('There is nothing here.', { status: 404, headers: HEADERS });
    return new Response(Buffer.from(file.bytes), { headers: { ...HEADERS, 'content-type': file.type } });
  });
}

/** A file as it is on disk, piece by piece: it may be larger than memory. */
async function whole(path: string): Promise<Response> {
  const type = { ...HEADERS, 'content-type': 'application/octet-stream' };
  try {
    const file = await open(path);
    return new Response(Readable.toWeb(file.createReadStream()) as ReadableStream, { headers: type });
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
