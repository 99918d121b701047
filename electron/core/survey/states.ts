import { columnStarts } from '#shared/values/pixel-columns.ts';
import type { Micros, TimeRange } from '#shared/values/time.ts';
import { NUMBER, TEXT } from '../store/record-columns.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import { StateRuns, type StateRun } from './state-runs.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from './survey.ts';

export interface StatesQuery extends SurveyQuery {
  readonly range: Required<TimeRange>;
  readonly width: number;
  /** Leave out keys that hold numbers in the span, or nothing at all. */
  readonly statesAlone: boolean;
  /** Runs of all keys together. */
  readonly most: number;
}

/** Texts and booleans of one key, run by run. */
export interface KeyStates {
  readonly key: string;
  /** Different values, counted up to 256. */
  readonly words: number;
  /** Of the newest text or boolean that holds in the span; null without one. */
  readonly lastTime: Micros | null;
  readonly runs: readonly StateRun[];
}

/** Null: there are more runs than were asked for at most. */
export type States = readonly KeyStates[] | null;

export const STATES = {
  kind: { name: 'states' } as TaskKind<SurveyStart<StatesQuery>, never, SurveyMessage, States>,
  held: true,
  begin: (query) => new StatesFold(query),
} satisfies Survey<StatesQuery, States>;

class StatesFold implements Fold<States> {
  readonly #query: StatesQuery;
  readonly #runs: (StateRuns | null)[];
  #left: number;
  #made = 0;

  constructor(query: StatesQuery) {
    const { range, keys, width } = query;
    const starts = columnStarts(range.start, range.end, width);
    this.#query = query;
    this.#runs = keys.map(() => new StateRuns(range, starts, () => this.#made++));
    this.#left = keys.length;
  }

  get isOver(): boolean {
    return this.#left === 0 || this.#made > this.#query.most;
  }

  readonly take: Fold<States>['take'] = (place, time, kind, number, text) => {
    const runs = this.#runs[place];
    if (runs === null || runs === undefined || time > this.#query.range.end) return;
    if (kind !== NUMBER) {
      runs.add(time, kind === TEXT ? text : number === 1);
    } else if (this.#query.statesAlone && time >= this.#query.range.start) {
      this.#runs[place] = null;
      this.#left--;
    } else {
      runs.add(time, null);
    }
  };

  result(): States {
    const { keys, statesAlone, most } = this.#query;
    const states = keys.flatMap((key, place) => {
      const found = this.#runs[place]?.end();
      return found === undefined || (statesAlone && found.runs.length === 0) ? [] : { key, ...found };
    });
    return this.#made > most ? null : states;
  }
}
