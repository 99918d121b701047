import type { ControlCommand } from './ask/control.ts';

/** Lazily loaded part of a command: a process that runs one need not load the others. */
export interface Loaded {
  readonly flags: string;
  readonly run: ControlCommand;
}

export interface Command {
  /** One word or two. */
  readonly name: string;
  readonly does: string;
  /** Meaning of its exit codes beside 0 and 2. */
  readonly exits: string;
  readonly load: () => Promise<Loaded>;
}
