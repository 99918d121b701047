/*
 * Undo and redo of one window. A way takes something back and knows the way back from there, so that undo and redo are one
 * thing in two directions. What the service has is compared by the way itself, which refuses where somebody else came between.
 */

/** What a way came to. */
export interface Taken {
  /** How it went, where that is to be said. */
  readonly words?: string | null;
  /** What takes that back again; null where nothing does. */
  readonly back: Way | null;
}
export type Way = () => Promise<Taken>;

/** Act of this window that can be undone, or one that was undone and can be done again. */
export interface Step {
  /** What is undone: `81 records of “PT-106” deleted`, `unit of temperature for 60 devices`. */
  readonly title: string;
  readonly way: Way;
}

/** A step that was taken, and the one that leads back; null where there is none. */
export interface StepTaken {
  readonly step: Step;
  readonly words: string | null;
  readonly opposite: Step | null;
}

export type Direction = 'undo' | 'redo';

/** What cannot be undone or done again any more, in words for people. */
export class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** As many as anybody remembers; what was deleted before that is under Recently deleted. */
const MOST_STEPS = 50;

/** Steps of one window, the latest last. They are taken one after the other, however quickly they are asked for. */
export class UndoHistory {
  readonly #isFinal: (error: unknown) => boolean;
  readonly #steps: Readonly<Record<Direction, Step[]>> = { undo: [], redo: [] };
  #acts = 0;
  #underWay = 0;
  #turn: Promise<unknown> = Promise.resolve();

  /** `isFinal` says of what a way rejected with whether trying again is of no use: then its step is dropped. */
  constructor(isFinal: (error: unknown) => boolean) {
    this.#isFinal = isFinal;
  }

  /** Whether anything was done that could be undone. */
  get hadSome(): boolean {
    return this.#acts > 0;
  }

  /** Whether there is something to take, or will be once what is under way is done. */
  mayTake(direction: Direction): boolean {
    return this.next(direction) !== null || (direction === 'undo' && this.#underWay > 0);
  }

  /** The step that is taken next; null for none. */
  next(direction: Direction): Step | null {
    return this.#steps[direction].at(-1) ?? null;
  }

  /** Adds what was just done: nothing that was undone before can be done again. */
  add(step: Step): void {
    this.#acts++;
    this.#steps.redo.length = 0;
    this.#push('undo', step);
  }

  /**
   * Has what is asked for from now on wait for an act that is shown already, and on its way to the service: it was done last. `act`
   * resolves, whatever became of it, once it was added.
   */
  waitFor(act: Promise<void>): void {
    this.#underWay++;
    this.#turn = Promise.all([this.#turn, act]).finally(() => this.#underWay--);
  }

  /**
   * Takes the latest step when its turn has come, or the one that is given. Resolves with null where there is none, or it is
   * gone by then. Rejects with why it could not be taken.
   */
  take(direction: Direction, given?: Step): Promise<StepTaken | null> {
    const taken = this.#turn.then(() => this.#take(direction, given ?? this.next(direction)));
    this.#turn = taken.catch(() => {});
    return taken;
  }

  async #take(direction: Direction, step: Step | null): Promise<StepTaken | null> {
    if (step === null || !this.#steps[direction].includes(step)) return null;
    const acts = this.#acts;
    try {
      const { words = null, back } = await step.way();
      this.#drop(direction, step);
      const opposite = back && { title: step.title, way: back };
      // What was undone while something new was done is over as all that was undone before.
      const isOver = direction === 'undo' && acts !== this.#acts;
      if (opposite && !isOver) this.#push(direction === 'undo' ? 'redo' : 'undo', opposite);
      return { step, words, opposite: isOver ? null : opposite };
    } catch (error) {
      if (this.#isFinal(error)) this.#drop(direction, step);
      throw error;
    }
  }

  #push(direction: Direction, step: Step): void {
    const steps = this.#steps[direction];
    steps.push(step);
    if (steps.length > MOST_STEPS) steps.shift();
  }

  #drop(direction: Direction, step: Step): void {
    const at = this.#steps[direction].indexOf(step);
    if (at >= 0) this.#steps[direction].splice(at, 1);
  }
}
