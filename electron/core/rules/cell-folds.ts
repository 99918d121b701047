import type { Micros } from '#shared/values/time.ts';
import type { Value } from '../store/store.ts';
import { LeafFold, type LeafState, type Stretch } from './leaf-fold.ts';

/** `is`: a value that is one of some. */
export class IsFold extends LeafFold {
  readonly #asked: ReadonlySet<Value>;
  #isAsked = false;

  constructor(asked: readonly Value[], { isTrue }: LeafState, stretch: Stretch) {
    super(isTrue, stretch);
    this.#asked = new Set(asked);
  }

  override value(time: Micros, value: Value): void {
    if (this.comes(time)) this.#isAsked = this.#asked.has(value);
  }

  override get state(): LeafState {
    return { isTrue: this.isTrue, last: null, window: null, cut: null };
  }

  protected override judge(): void {
    if (this.#isAsked !== this.isTrue) this.toggle(this.time);
  }
}

/** `silent_s`: so long nothing after a record. */
export class SilenceFold extends LeafFold {
  readonly #silent: Micros;
  #last: Micros | null;

  constructor(silent: Micros, { isTrue, last }: LeafState, stretch: Stretch) {
    super(isTrue, stretch);
    this.#silent = silent;
    this.#last = last;
  }

  override value(time: Micros): void {
    this.comes(time);
  }

  override get state(): LeafState {
    return { isTrue: this.isTrue, last: this.#last, window: null, cut: null };
  }

  protected override judge(): void {
    this.waited(this.time - 1);
    if (this.isTrue) this.toggle(this.time);
    this.#last = this.time;
  }

  protected override waited(time: Micros): void {
    if (this.isTrue || this.#last === null || time - this.#last < this.#silent) return;
    this.toggle(this.#last + this.#silent);
  }
}
