import type { WindowPort } from '#shared/bridge/bridge.ts';
import type { WindowFileMessage } from '#shared/bridge/wire.ts';

let last = 0;

/** A file of this window: downloads go into it and pass the page by, where its browser can fetch it (shared/bridge/wire.ts). */
export interface WindowFile {
  readonly number: number;
  /** What came into it is all of it. */
  end(): void;
  /** No more comes into it, and it is not whole. */
  drop(): void;
  /** Hears no more of it; one that is not over is dropped. */
  close(): void;
}

export function openWindowFile(port: WindowPort, hear: (message: WindowFileMessage) => void): WindowFile {
  const file = ++last;
  const stop = port.listen((message) => {
    if ((message.type === 'file' || message.type === 'file-over') && message.file === file) hear(message);
  });
  const drop = () => port.post({ type: 'drop-file', file });
  return {
    number: file,
    end: () => port.post({ type: 'end-file', file }),
    drop,
    close() {
      stop();
      drop();
    },
  };
}
