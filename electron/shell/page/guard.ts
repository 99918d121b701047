import { app, session, type WebContents } from 'electron';
import { isAppUrl } from './origin.ts';

/*
 * What a page of the app may not do, whatever runs in it: go elsewhere, open windows, embed other pages, or be granted
 * a device. All of it is refused in one place, for every page there will ever be. The content security policy
 * (protocol.ts) and the check of who sends (ipc.ts) are the other two controls.
 */

/** Permissions of a page: the clipboard for buttons that copy, the full screen for charts, and notifications of alarms. */
const ALLOWED: readonly string[] = ['clipboard-sanitized-write', 'fullscreen', 'notifications'];

/** Must run once the app is ready, before the first window. */
export function guardPages(): void {
  app.on('web-contents-created', (_event, contents) => guard(contents));
  const { defaultSession } = session;
  defaultSession.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin));
  defaultSession.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(isAllowed(permission, requestingUrl)),
  );
  // A folder that is dropped: without an answer the drop would hang (electron/docs/api/session.md).
  defaultSession.on('file-system-access-restricted', (_event, _details, answer) => answer('deny'));
}

function guard(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => event.preventDefault());
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

const isAllowed = (permission: string, url: string) => ALLOWED.includes(permission) && isAppUrl(url);
