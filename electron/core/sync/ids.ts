import type { Micros } from '#shared/values/time.ts';
import type { Fold, Survey, SurveyMessage, SurveyQuery, SurveyStart } from '../survey/survey.ts';
import type { TaskKind } from '../threads/task-kind.ts';
import { ContentReader, idOf, type RecordId } from './content.ts';

export interface IdsQuery extends SurveyQuery {
  /** All keys of the device, in the order of UTF-16 code units. */
  readonly keys: readonly string[];
  /** Only ids that begin so. */
  readonly prefix: string;
  /** With one more it ends. */
  readonly most: number;
}

/** Records of a span, oldest first. */
export interface Identified {
  readonly times: readonly Micros[];
  readonly ids: readonly RecordId[];
}

export const IDS = {
  kind: { name: 'ids' } as TaskKind<SurveyStart<IdsQuery>, never, SurveyMessage, Identified>,
  held: false,
  rows: true,
  begin: (query) => new IdsFold(query),
} satisfies Survey<IdsQuery, Identified>;

class IdsFold implements Fold<Identified> {
  readonly take: Fold<Identified>['take'];
  readonly #reader: ContentReader;
  readonly #most: number;
  readonly #times: Micros[] = [];
  readonly #ids: RecordId[] = [];

  constructor({ keys, prefix, most }: IdsQuery) {
    this.#most = most;
    this.#reader = new ContentReader(keys, ({ time }, content) => {
      const id = idOf(content);
      if (this.isOver || !id.startsWith(prefix)) return;
      this.#times.push(time);
      this.#ids.push(id);
    });
    this.take = this.#reader.take;
  }

  get isOver(): boolean {
    return this.#ids.length > this.#most;
  }

  result(): Identified {
    this.#reader.end();
    return { times: this.#times, ids: this.#ids };
  }
}
