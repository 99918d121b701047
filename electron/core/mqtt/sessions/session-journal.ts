import type { LineJournal } from '../../disk/line-journal.ts';
import type { Message } from './message.ts';
import {
  lineText,
  queuedLine,
  receivingLine,
  retainedLine,
  sessionLine,
  type SessionLine,
} from './session-lines.ts';
import type { SessionLog } from './session-log.ts';
import type { Noted, Queued, Session } from './session.ts';

/** Bytes of a journal that is worth writing anew, where it has doubled since. */
const WORTH_ANEW = 1024 * 1024;

/** Session log as a journal of lines, compacted once most of it is outdated. */
export class SessionJournal implements SessionLog {
  readonly #journal: LineJournal;
  /** Returns the lines of the present state. */
  readonly #state: () => Iterable<SessionLine>;
  /** Bytes after it was written anew. */
  #base = 0;
  #renewal: Promise<void> | null = null;

  constructor(journal: LineJournal, state: () => Iterable<SessionLine>) {
    this.#journal = journal;
    this.#state = state;
  }

  /** Writes anew what is true; the file is begun with that. Rejects with StoreError. */
  renew(): Promise<void> {
    return (this.#renewal ??= this.#renewNow().finally(() => (this.#renewal = null)));
  }

  async kept(session: Session): Promise<void> {
    if (session.isLasting) await this.#append(sessionLine(session));
  }

  async ended({ uid, isLasting }: Session): Promise<void> {
    if (isLasting) await this.#append({ is: 'ended', uid });
  }

  async queued({ uid, isLasting }: Session, queued: Queued): Promise<void> {
    if (isLasting && queued.n > 0) await this.#append(queuedLine(uid, queued));
  }

  async received({ uid, isLasting }: Session, { n }: Queued): Promise<void> {
    if (isLasting) await this.#append({ is: 'received', uid, n });
  }

  delivered({ uid, isLasting }: Session, { n }: Queued): void {
    if (isLasting && n > 0) this.#journal.note(lineText({ is: 'delivered', uid, n }));
  }

  async receiving({ uid, isLasting }: Session, messageId: number, noted: Noted): Promise<void> {
    if (isLasting) await this.#append(receivingLine(uid, messageId, noted));
  }

  settled({ uid, isLasting }: Session, messageId: number, noted: Noted): void {
    if (isLasting) this.#journal.note(lineText(receivingLine(uid, messageId, noted)));
  }

  async released({ uid, isLasting }: Session, messageId: number): Promise<void> {
    if (isLasting) await this.#append({ is: 'released', uid, id: messageId });
  }

  retained(device: string, message: Message | null): Promise<void> {
    return this.#append(retainedLine(device, message));
  }

  async forgotten({ uid, isLasting }: Session, { n }: Queued): Promise<void> {
    if (isLasting && n > 0) await this.#append({ is: 'delivered', uid, n });
  }

  async close(): Promise<void> {
    await this.#renewal;
    await this.#journal.close();
  }

  async #append(line: SessionLine): Promise<void> {
    if (!this.#journal.isBegun) await this.renew();
    await this.#journal.append(lineText(line));
    if (this.#journal.bytes > Math.max(WORTH_ANEW, 2 * this.#base) && this.#renewal === null)
      // Where it fails the old one goes on; it is tried again with the next line.
      this.renew().catch(() => undefined);
  }

  async #renewNow(): Promise<void> {
    await this.#journal.replace(this.#texts());
    this.#base = this.#journal.bytes;
  }

  *#texts(): Generator<string> {
    for (const line of this.#state()) yield lineText(line);
  }
}
