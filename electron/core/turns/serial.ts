/** Serial queue (mutex): runs each piece of work once the one before has ended, however it ended. */
export class Serial {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#last.then(work, work);
    this.#last = next.catch(() => undefined);
    return next;
  }

  async idle(): Promise<void> {
    await this.#last;
  }
}
