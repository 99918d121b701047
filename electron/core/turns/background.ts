/** Background work, which closing alone waits for. Its failures surface again at the next checkpoint. */
export class Background {
  readonly #running = new Set<Promise<unknown>>();
  /** Long work is to give up. */
  closing = false;

  add(work: Promise<unknown>): void {
    const settled = Promise.allSettled([work]).finally(() => this.#running.delete(settled));
    this.#running.add(settled);
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}
