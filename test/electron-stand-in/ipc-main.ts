import { EventEmitter } from 'node:events';

type Handler = (event: object, ...args: unknown[]) => unknown;

/** electron.ipcMain, and each page's own webContents.ipc. */
export class IpcMain extends EventEmitter {
  readonly #handlers = new Map<string, Handler>();

  handle(channel: string, handler: Handler): void {
    if (this.#handlers.has(channel))
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    this.#handlers.set(channel, handler);
  }

  removeHandler(channel: string): void {
    this.#handlers.delete(channel);
  }

  handler(channel: string): Handler | undefined {
    return this.#handlers.get(channel);
  }
}
