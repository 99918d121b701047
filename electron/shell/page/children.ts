import type { Details } from 'electron';
import type { Logger } from '#core/base/logger.ts';

/** Logs the end of Chromium's other processes: after that of the one that draws, a window may stay black. */
export function tellOfChildren(
  app: { on(event: 'child-process-gone', listener: (event: unknown, details: Details) => void): unknown },
  log: Pick<Logger, 'warn'>,
): void {
  app.on('child-process-gone', (_event, { type, name, reason, exitCode }) => {
    if (reason !== 'clean-exit')
      log.warn(`Chromium's process "${name ?? type}" (${type}) ended: ${reason}, exit code ${exitCode}.`);
  });
}
