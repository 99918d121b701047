import { EventEmitter } from 'node:events';
import { createEvent } from '../event.ts';

/**
 * electron.powerMonitor on Linux: its native half starts with the first listener, whatever that hears, and is told of
 * listeners for 'shutdown' from the second one on (electron/lib/browser/api/power-monitor.ts).
 */
export class PowerMonitor extends EventEmitter {
  #hearsShutdown = false;

  constructor() {
    super();
    this.once('newListener', () => {
      this.#hearsShutdown = this.listenerCount('shutdown') > 0;
      this.on('newListener', (event) => {
        if (event === 'shutdown') this.#hearsShutdown = true;
      });
    });
  }

  /** What logind says before it ends all programs; whether it waits for this one. */
  prepareForShutdown(): boolean {
    if (!this.#hearsShutdown) return false;
    const event = createEvent({});
    this.emit('shutdown', event);
    return event.defaultPrevented;
  }
}
