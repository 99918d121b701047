import { protocol } from 'electron';
import { readStatic } from '#core/page/static-files.ts';
import { appPolicy } from '#core/page/content-policy.ts';
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

/** Serves the built renderer from its folder, which is absolute, and the page before it. Must run once the app is ready. */
export function serveRenderer(directory: string, startingPage: string): void {
  const starting = { bytes: Buffer.from(startingPage), type: 'text/html; charset=utf-8' };
  protocol.handle(APP_SCHEME, async ({ method, url }) => {
    const { host, pathname } = new URL(url);
    const path = decode(pathname.slice(1));
    const isAsked = method === 'GET' && host === APP_HOST;
    const file = isAsked ? (path === STARTING_PATH ? starting : await readStatic(directory, path)) : null;
    if (!file) return new Response('There is nothing here.', { status: 404, headers: HEADERS });
    return new Response(Buffer.from(file.bytes), { headers: { ...HEADERS, 'content-type': file.type } });
  });
}

/** A path with broken percent-encoding names no file. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return '\0';
  }
}
