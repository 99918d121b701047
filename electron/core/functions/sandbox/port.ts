import type { FromIsolate, ToIsolate } from './messages.ts';

/** A process in which scripts run, as whoever started it sees it. */
export interface IsolatePort {
  post(message: ToIsolate): void;
  onMessage(heard: (message: FromIsolate) => void): void;
  /** Called once, also where it could not start: `why` says so for a person who reads a log. */
  onExit(ended: (why: string) => void): void;
  /** Ends it at once, whatever it does. Nothing where it has ended. */
  kill(): void;
}

/** Starts a process that runs `isolate.ts`. Throws where that cannot be tried. */
export type StartIsolate = () => IsolatePort;
