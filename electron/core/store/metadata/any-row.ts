/** Fields of every row, and those of some tables. */
export interface AnyRow {
  readonly id: string;
  readonly sequence: number;
  readonly account_id?: string;
  readonly project_id?: string;
  readonly device_id?: string | null;
  readonly function_id?: string;
  readonly role?: string;
  readonly hash?: string;
  readonly token_hash?: string;
  readonly sources?: readonly { readonly device_id: string }[];
}

/** The criteria of `Having`, whichever table they are for. */
export interface AnyHaving {
  readonly account_id?: string;
  readonly project_id?: string;
  readonly device_id?: string;
  readonly function_id?: string;
  readonly role?: string;
}

/** Whether a row has all of these. */
export function hasAll(
  row: AnyRow,
  { account_id, project_id, device_id, function_id, role }: AnyHaving,
): boolean {
  return (
    (account_id === undefined || row.account_id === account_id) &&
    (project_id === undefined || row.project_id === project_id) &&
    (device_id === undefined || isOf(row, device_id)) &&
    (function_id === undefined || row.function_id === function_id) &&
    (role === undefined || row.role === role)
  );
}

const isOf = (row: AnyRow, device_id: string) =>
  row.device_id === device_id || (row.sources?.some((source) => source.device_id === device_id) ?? false);

/** Rows in the order in which they were made. */
export const bySequence = (a: AnyRow, b: AnyRow) => a.sequence - b.sequence;
