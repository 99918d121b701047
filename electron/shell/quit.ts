import { app } from 'electron';
import type { Logger } from '#core/logger.ts';
import type { Service } from '#core/service.ts';

/** Quitting waits for the service, which finishes and flushes what it has accepted. */
export function closeBeforeQuit(starting: Promise<Pick<Service, 'close'>>, log: Logger): void {
  let isClosed = false;
  app.on('will-quit', (event) => {
    if (isClosed) return;
    event.preventDefault();
    starting
      .then((service) => service.close())
      .catch((error: unknown) => log.error('The service did not close well', error))
      .finally(() => {
        isClosed = true;
        app.quit();
      });
  });
}

/** On a Mac an app lives on without a window; elsewhere the last one takes it along. */
export function quitWithLastWindow(): void {
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}
