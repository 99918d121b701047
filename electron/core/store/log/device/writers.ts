import type { StoreError } from '../../../base/errors.ts';
import { retired } from '../../store-errors.ts';

/** Writer that the retirement of a device ends: it resolves once it writes nothing more. */
export interface Retirable {
  retire(reason: StoreError): Promise<void>;
}

/** Writers of a device, so that its deletion can end them first. */
export class Writers {
  #isRetired = false;
  #appends = 0;
  #batches: Set<Retirable> | null = null;
  /** Called when the last append has ended. */
  #whenIdle: (() => void) | null = null;

  /** Throws `retired`. */
  check(): void {
    if (this.#isRetired) throw retired();
  }

  /** An append begins; throws `retired`. */
  begin(): void {
    this.check();
    this.#appends++;
  }

  end(): void {
    if (--this.#appends === 0) this.#whenIdle?.();
  }

  /** A batch begins; throws `retired`. */
  add(batch: Retirable): void {
    this.check();
    (this.#batches ??= new Set()).add(batch);
  }

  delete(batch: Retirable): void {
    this.#batches?.delete(batch);
  }

  /** Refuses further writers. */
  refuse(): void {
    this.#isRetired = true;
  }

  /** Takes a refusal back. */
  accept(): void {
    this.#isRetired = false;
  }

  /** Refuses, and ends who is there. Resolves when nobody writes any more. */
  async retire(): Promise<void> {
    this.refuse();
    const batches = [...(this.#batches ?? [])];
    if (batches.length === 0 && this.#appends === 0) return;
    const reason = retired();
    const ended = batches.map((batch) => batch.retire(reason));
    if (this.#appends > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const others = this.#whenIdle;
      this.#whenIdle = () => {
        others?.();
        resolve();
      };
      ended.push(promise);
    }
    await Promise.allSettled(ended);
  }
}
