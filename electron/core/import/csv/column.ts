export type ColumnRole = 'time' | 'row-number' | 'value' | 'empty';
export type ColumnKind = 'number' | 'text' | 'boolean' | 'time';

export interface Column {
  readonly name: string;
  readonly role: ColumnRole;
  readonly kind: ColumnKind;
}
