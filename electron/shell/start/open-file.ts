/**
 * Listens for files that the Finder or the Dock of a Mac gives the app, also before it is ready; other systems name them
 * among the arguments (arguments.ts). Must run at once: the first one comes early.
 */
export function openFilesOfMac(
  app: {
    on(event: 'open-file', listener: (event: { preventDefault(): void }, path: string) => void): unknown;
  },
  openFiles: (paths: readonly string[]) => void,
): void {
  app.on('open-file', (event, path) => {
    event.preventDefault();
    openFiles([path]);
  });
}
