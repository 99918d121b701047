import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** Table of the impact of a removal, a fact a row. */
export function RemovedTable({ rows }: { readonly rows: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Table withTableBorder aria-label="What would be removed" style={{ fontVariantNumeric: 'tabular-nums' }}>
      <Table.Tbody>
        {rows.map(([label, value]) => (
          <Table.Tr key={label}>
            <Table.Th w={130} fw={500} c="dimmed">
              {label}
            </Table.Th>
            <Table.Td>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
