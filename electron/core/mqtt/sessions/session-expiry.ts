import type { Clock, Timer } from '../../base/clock.ts';
import { SESSIONS_AWAY } from '../limits.ts';
import type { Session } from './session.ts';

/** Session expiry: timers of sessions without a connection (MQTT 5, 3.1.2.11.2). */
export class SessionExpiry {
  readonly #timers = new Map<Session, Timer>();
  readonly #clock: Clock;
  readonly #over: (session: Session) => void;

  /** `over` is called with each session that expires. */
  constructor(clock: Clock, over: (session: Session) => void) {
    this.#clock = clock;
    this.#over = over;
  }

  begin(session: Session): void {
    const nowMs = this.#clock.now() / 1000;
    session.awaySince ??= nowMs;
    const left = session.awaySince + session.expiry * 1000 - nowMs;
    if (left <= 0) return this.#over(session);
    const look = () => this.begin(session);
    this.#timers.set(session, this.#clock.after(left, look));
  }

  /** The session's client is back, or the session has ended. */
  end(session: Session): void {
    this.#timers.get(session)?.cancel();
    this.#timers.delete(session);
    session.awaySince = null;
  }
}

/** Returns the sessions of a device beyond `SESSIONS_AWAY` without a connection, those away longest. */
export function tooMany(sessions: readonly Session[]): readonly Session[] {
  const away = sessions
    .filter(({ awaySince }) => awaySince !== null)
    .toSorted((a, b) => (a.awaySince ?? 0) - (b.awaySince ?? 0));
  return away.slice(0, Math.max(0, away.length - SESSIONS_AWAY));
}
