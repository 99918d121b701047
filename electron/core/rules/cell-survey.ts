import type { Micros } from '#shared/values/time.ts';
import { NUMBER, TEXT } from '../store/record-columns.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from '../survey/survey.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import type { LeafState, Stretch } from './leaf-fold.ts';
import { cellFold, type CellLeaf } from './leaves.ts';

/* Leaves that read all values of a key, or all records, as surveys: in another thread where there are many. */

export interface CellsQuery extends SurveyQuery {
  readonly leaf: CellLeaf;
  readonly state: LeafState;
  readonly stretch: Stretch;
}

/** State of a fold, as `LeafFold` has it. */
export interface CellsFound {
  readonly edges: readonly Micros[];
  readonly saved: readonly LeafState[];
  readonly state: LeafState;
  readonly position: Micros;
}

type CellSurvey = Survey<CellsQuery, CellsFound>;

const kindOf = (name: string) =>
  ({ name }) as TaskKind<SurveyStart<CellsQuery>, never, SurveyMessage, CellsFound>;

/** Of the values of a key. */
export const RULE_VALUES = { kind: kindOf('rule-values'), held: false, begin } satisfies CellSurvey;
/** Of all records. */
export const RULE_RECORDS = {
  kind: kindOf('rule-records'),
  held: false,
  rows: true,
  begin,
} satisfies CellSurvey;

function begin({ leaf, state, stretch }: CellsQuery): Fold<CellsFound> {
  const fold = cellFold(leaf, state, stretch);
  return {
    take(_place, time, kind, number, text) {
      fold.value(time, kind === TEXT ? text : kind === NUMBER ? number : number === 1);
    },
    get isOver() {
      return fold.isOver;
    },
    result() {
      fold.end();
      const { edges, saved, position } = fold;
      return { edges, saved, state: fold.state, position };
    },
  };
}
