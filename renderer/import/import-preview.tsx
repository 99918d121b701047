import { ScrollArea, Table, Text } from '@mantine/core';
import type { Inspection } from '#shared/operations/records/records.ts';
import { parseInstant } from '#shared/values/time.ts';
import { Moment } from '../components/facts/moment.tsx';
import { countOf, shortened } from '../format.ts';
import { zoneOffset } from '../time.ts';

const ROLES = { time: 'time', 'row-number': 'row number, left out', value: '', empty: 'empty so far' };

/** The first rows of a file as they were understood, and the times they lie between. */
export function ImportPreview({ inspection }: { readonly inspection: Inspection }) {
  const places = shownPlaces(inspection);
  const left = inspection.columns.length - places.length;
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
              {columnsAt(inspection, places).map(({ name, role, kind }) => (
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
                {places.map((place) => (
                  <Table.Td key={place} style={{ whiteSpace: 'nowrap' }}>
                    {shortened(row[place] ?? '')}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {left > 0 && (
        <Text size="sm" c="dimmed">
          And {countOf(left, 'more column')}.
        </Text>
      )}
      <Span inspection={inspection} />
    </>
  );
}

/** Columns that are worth drawing: all of 4,099 keep a window busy for seconds. */
const MOST_COLUMNS = 100;

/** Which columns are drawn: the first ones, and that of the times wherever it stands. */
function shownPlaces({ columns }: Inspection): number[] {
  const first = columns.slice(0, MOST_COLUMNS).map((_, place) => place);
  const time = columns.findIndex(({ role }) => role === 'time');
  return time >= MOST_COLUMNS ? [time, ...first] : first;
}

function columnsAt({ columns }: Inspection, places: readonly number[]) {
  return places.flatMap((place) => columns[place] ?? []);
}

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
