import { clockNotes, type Clock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { createRigClock, rigNotes, type RigClock } from '../base/rig-clock.ts';
import { createSystemClock } from '../base/system-clock.ts';

/** The clock of a service: the one given, that of a rig (`--clock`), or the machine's. */
export function openClock(setting: Config['clock'], given?: Clock) {
  const rigClock: RigClock | null = setting === null ? null : createRigClock(setting, createSystemClock());
  const clock = given ?? rigClock ?? createSystemClock();
  /** For people to read. */
  const notes = () => [...clockNotes(clock), ...(rigClock === null ? [] : rigNotes(rigClock))];
  return { clock, rigClock, notes };
}
