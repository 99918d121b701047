import { expect, test } from 'vitest';
import type { TableColumn } from '../../../../../renderer/components/table/column.ts';
import { countColumn, nameColumn } from '../../../../../renderer/components/table/usual-columns.ts';

interface Held {
  readonly name: string;
  readonly records: number;
}

const rows: readonly Held[] = [
  { name: 'PT-120', records: 5 },
  { name: 'PT-3', records: 12_000 },
];
const sorted = ({ compare }: TableColumn<Held>) => rows.toSorted(compare).map(({ name }) => name);

test('names are ordered as people count, counts by what they are', () => {
  expect(sorted(nameColumn('1fr', ({ name }) => name))).toEqual(['PT-3', 'PT-120']);
  const records = countColumn('records', 'Records', '90px', 2);
  expect(sorted(records)).toEqual(['PT-120', 'PT-3']);
  expect(rows.map((row) => records.cell(row, true))).toEqual(['5', '12,000']);
  expect(records).toMatchObject({ id: 'records', header: 'Records', width: '90px', rank: 2, align: 'end' });
});
