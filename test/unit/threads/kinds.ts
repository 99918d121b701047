import type { TaskKind } from '#core/threads/task-kind.ts';

/** Answers every message with itself; comes to the number of messages and the thread's id. */
export const ECHO: TaskKind<null, unknown, unknown, { readonly count: number; readonly threadId: number }> = {
  name: 'echo',
};

export type Fault =
  | 'refusal'
  | 'disk-full'
  | 'file'
  | 'bug'
  | 'text'
  | 'uncaught'
  | 'exit'
  | 'uncloneable'
  | 'glutton';

/** Fails in one of many ways. */
export const FAIL: TaskKind<Fault, never, never, unknown> = { name: 'fail' };

/** Sends numbers from 0 for ever, until it is cancelled; reads nothing. */
export const COUNT: TaskKind<null, unknown, number, never> = { name: 'count' };

/** Adds 1 to the first number in shared memory every ms, also after the task has ended. */
export const TICK: TaskKind<Int32Array, never, never, null> = { name: 'tick' };

/** Sends one message and then works for ever without listening; reads what somebody outside sent. */
export const HANG: TaskKind<null, never, 'begun', never> = { name: 'hang', foreign: true };

/** Sends one message and does nothing until the first number in shared memory is no 0; does not listen. */
export const IDLE: TaskKind<Int32Array, never, 'begun', null> = { name: 'idle', foreign: true };

/** As ECHO, for what somebody outside sent. */
export const FOREIGN_ECHO: TaskKind<null, unknown, unknown, { readonly threadId: number }> = {
  name: 'echo',
  foreign: true,
};
