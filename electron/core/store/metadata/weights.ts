import type { AnyRow } from './any-row.ts';
import { TABLE_NAMES, type MetadataState, type TableName } from './metadata-schema.ts';
import { rowText } from './row-text.ts';

/** Bytes around a row and its id on a line of metadata.json: a colon, a comma, a line feed. */
const AROUND = 3;

/** The bytes of a row's line in metadata.json. `text`: the row as JSON. */
export const lineBytes = ({ id }: AnyRow, text: string): number =>
  Buffer.byteLength(JSON.stringify(id)) + Buffer.byteLength(text) + AROUND;

/** Returns the bytes of a row without its text. */
export const bytesOf = (row: AnyRow): number => lineBytes(row, rowText(row));

/** Bytes of written rows: of all, and of each project. */
export class Weights {
  #all = 0;
  readonly #projects = new Map<string, number>();
  #first: (() => Weights) | null;

  /** `first`: those of rows that are read only when somebody asks for what there is with them. */
  constructor(first: (() => Weights) | null = null) {
    this.#first = first;
  }

  get all(): number {
    this.#count();
    return this.#all;
  }

  ofProject(id: string): number {
    this.#count();
    return this.#projects.get(id) ?? 0;
  }

  /** Returns projects with a known weight, which may be 0. */
  projects(): Iterable<readonly [string, number]> {
    this.#count();
    return this.#projects;
  }

  /** Adds a row, or takes it away: then `bytes` are less than 0. */
  add(table: TableName, row: AnyRow, bytes: number): void {
    this.#all += bytes;
    const project = projectOf(table, row);
    if (project !== undefined) this.#addTo(project, bytes);
  }

  addAll(others: Weights): void {
    this.#all += others.all;
    for (const [project, bytes] of others.projects()) this.#addTo(project, bytes);
  }

  #count(): void {
    const first = this.#first;
    this.#first = null;
    if (first) this.addAll(first());
  }

  #addTo(project: string, bytes: number): void {
    const sum = (this.#projects.get(project) ?? 0) + bytes;
    if (sum === 0) this.#projects.delete(project);
    else this.#projects.set(project, sum);
  }
}

/** Returns the weights of a state; each row is written once for that. */
export function weigh(state: MetadataState): Weights {
  const weights = new Weights();
  for (const name of TABLE_NAMES) for (const row of state.rows(name)) weights.add(name, row, bytesOf(row));
  return weights;
}

const projectOf = (table: TableName, row: AnyRow) => (table === 'projects' ? row.id : row.project_id);
