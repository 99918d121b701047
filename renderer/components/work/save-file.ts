import type { DesktopPort } from '#shared/bridge/bridge.ts';

/** How long a browser may take to begin reading the file. */
const KEEP_MS = 60_000;

/**
 * Offers a file to be saved under a name that every file system takes (shared/values/file-name.ts). Resolves with the name it
 * got, null where the person did not want it after all; rejects where it could not be written. A browser has downloads of
 * its own and tells nobody: there it resolves at once. For what the page made itself, and is small: save-download.ts is for the rest.
 */
export async function saveFile(
  name: string,
  content: Blob,
  desktop: Pick<DesktopPort, 'listenSaved'> | undefined = window.fieldbench,
): Promise<string | null> {
  const url = URL.createObjectURL(content);
  const saved = desktop && savedAs(desktop, url);
  fetchAs(name, url);
  if (!saved) {
    setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
    return name;
  }
  try {
    return await saved;
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Has the browser fetch what is at an address of this page's origin, and save it under that name. */
export function fetchAs(name: string, url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** Resolves with the name of the file that is fetched from there, null where the person did not want it; rejects where it could not be written. */
export function savedAs(desktop: Pick<DesktopPort, 'listenSaved'>, url: string): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>();
  const stop = desktop.listenSaved((saved) => {
    if (saved.url !== url) return;
    stop();
    if (saved.state === 'completed') resolve(saved.name);
    else if (saved.state === 'cancelled') resolve(null);
    else reject(new Error('The file could not be saved. Is there room, and may you write to that folder?'));
  });
  return promise;
}
