import { ScrollArea, Table, Text } from '@mantine/core';
import type { Inspection } from '#shared/operations/records.ts';
import { parseInstant } from '#shared/time.ts';
import { Moment } from '../../../components/moment.tsx';
import { zoneOffset } from '../../../time.ts';

const ROLES = { time: 'time', 'row-number': 'row number, left out', value: '', empty: 'empty so far' };

/** The first rows of a file as they were understood, and the times they lie between. */
export function ImportPreview({ inspection }: { readonly inspection: Inspection }) {
  return (
    <>
      <ScrollArea.Autosize mah={260} type="auto" offsetScrollbars>
        <Table
          withTableBorder
          withColumnBorders
          striped
          stickyHeader
          aria-label="First rows"
          fz="xs"
          className="mono"
        >
          <Table.Thead>
            <Table.Tr>
              {inspection.columns.map(({ name, role, kind }) => (
                <Table.Th key={name} style={{ whiteSpace: 'nowrap' }}>
                  {name || '(no name)'}
                  <Text fz={11} c={role === 'time' ? 'petrol' : 'dimmed'} fw={500}>
                    {ROLES[role] || kind}
                  </Text>
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {inspection.rows.map((row, number) => (
              // oxlint-disable-next-line react/no-array-index-key -- rows of a file may be equal; their place is their identity
              <Table.Tr key={number}>
                {row.map((field, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- likewise
                  <Table.Td key={column} style={{ whiteSpace: 'nowrap' }}>
                    {field.length > LONGEST ? `${field.slice(0, LONGEST)}…` : field}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      <Span inspection={inspection} />
    </>
  );
}

/** Characters of a field that are worth showing. */
const LONGEST = 200;

function Span({ inspection }: { readonly inspection: Inspection }) {
  const first = parseInstant(inspection.first ?? '');
  const last = parseInstant(inspection.last ?? '');
  if (first === null) return null;
  return (
    <Text size="sm">
      First row: <Moment at={first} /> ({zoneOffset(first)})
      {last !== null && (
        <>
          {' '}
          · last row: <Moment at={last} /> ({zoneOffset(last)})
        </>
      )}
    </Text>
  );
}
