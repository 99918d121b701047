import { Button, Checkbox, ScrollArea, Select, Table, Text, TextInput } from '@mantine/core';
import { shortened } from '../format.ts';
import type { FileItem } from './file-items.ts';
import { nameAfter } from './file-items.ts';
import type { ImportChoices } from './import-sample.ts';
import { chosenColumns, keysByColumn } from './run-imports.ts';

interface ColumnTableProps {
  readonly item: FileItem;
  readonly onChange: (choices: ImportChoices) => void;
  readonly onUnit: (column: string, unit: string) => void;
}

/** Columns that are worth drawing: fields for thousands keep a window busy. Those behind are imported as they are. */
const MOST_COLUMNS = 60;
const EXAMPLES = 3;
/** Names that say nothing of what was measured. */
const EMPTY_NAME = /^(?:value|val|data|reading|measurement|column \d+)$/i;

const TYPES = [
  { value: 'auto', label: 'As it is' },
  { value: 'number', label: 'Number' },
  { value: 'text', label: 'Text' },
];

/** The columns of a file as keys of a device: which come in, what they are called, in which unit, and as what. */
export function ColumnTable({ item, onChange, onUnit }: ColumnTableProps) {
  if (item.inspected === null) return null;
  const { inspection, choices } = item.inspected;
  const columns = inspection.columns
    .map((column, place) => ({ ...column, place }))
    .filter(({ role }) => role === 'value' || role === 'empty');
  const left = chosenColumns(choices.columns);
  const keys = keysByColumn(choices.names);
  const set = (changed: ImportChoices) => onChange({ ...choices, ...changed });

  const tick = (name: string, isIn: boolean) => {
    const all = columns.map((column) => column.name);
    const kept = all.filter((one) => (one === name ? isIn : (left?.has(one) ?? true)));
    set({ columns: kept.length === all.length ? undefined : kept.join(',') });
  };
  const rename = (name: string, key: string) => {
    const { [name]: _, ...others } = keys;
    const names = key === '' || key === name ? others : { ...others, [name]: key };
    set({ names: Object.keys(names).length === 0 ? undefined : JSON.stringify(names) });
  };
  const setType = (name: string, type: string | null) => {
    const without = (list = '') => list.split(',').filter((one) => one !== '' && one !== name);
    set({
      text_columns: list([...without(choices.text_columns), ...(type === 'text' ? [name] : [])]),
      number_columns: list([...without(choices.number_columns), ...(type === 'number' ? [name] : [])]),
    });
  };
  const typeOf = (name: string) =>
    choices.text_columns?.split(',').includes(name)
      ? 'text'
      : choices.number_columns?.split(',').includes(name)
        ? 'number'
        : 'auto';

  return (
    <ScrollArea.Autosize mah={360} type="auto" offsetScrollbars>
      <Table aria-label="Columns" fz="sm" verticalSpacing={3} stickyHeader withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Column</Table.Th>
            <Table.Th>Key</Table.Th>
            <Table.Th w={90}>Unit</Table.Th>
            <Table.Th w={140}>Type</Table.Th>
            <Table.Th>First values</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.slice(0, MOST_COLUMNS).map(({ name, kind, role, place }) => {
            const isIn = left?.has(name) ?? true;
            const suggested = nameAfter(item.file);
            return (
              <Table.Tr key={name}>
                <Table.Td maw={200}>
                  <Checkbox
                    size="xs"
                    label={shortened(name)}
                    aria-label={`Import ${name}`}
                    checked={isIn}
                    disabled={isIn && (left?.size ?? columns.length) === 1}
                    onChange={(event) => tick(name, event.currentTarget.checked)}
                  />
                </Table.Td>
                <Table.Td>
                  <TextInput
                    size="xs"
                    aria-label={`Key of ${name}`}
                    disabled={!isIn}
                    placeholder={name}
                    // The field keeps what is being typed; the service is asked when it is left.
                    key={keys[name] ?? ''}
                    defaultValue={keys[name] ?? ''}
                    onBlur={(event) => rename(name, event.currentTarget.value.trim())}
                  />
                  {EMPTY_NAME.test(name) && (
                    <Button
                      variant="subtle"
                      size="compact-xs"
                      mt={2}
                      // It keeps its place: a field that is left must not move what is about to be clicked.
                      style={{ visibility: keys[name] === undefined ? 'visible' : 'hidden' }}
                      onClick={(event) => {
                        rename(name, suggested);
                        focusUnit(event.currentTarget);
                      }}
                    >
                      Call it “{shortened(suggested)}”
                    </Button>
                  )}
                </Table.Td>
                <Table.Td>
                  <TextInput
                    size="xs"
                    aria-label={`Unit of ${name}`}
                    data-unit
                    miw={64}
                    maxLength={16}
                    disabled={!isIn}
                    value={item.units[name] ?? ''}
                    onChange={(event) => onUnit(name, event.currentTarget.value)}
                  />
                </Table.Td>
                <Table.Td>
                  <Select
                    size="xs"
                    aria-label={`Type of ${name}`}
                    miw={124}
                    data={TYPES.map((type) =>
                      type.value === 'auto'
                        ? { ...type, label: role === 'empty' ? 'Empty so far' : wordOf(kind) }
                        : type,
                    )}
                    value={typeOf(name)}
                    onChange={(type) => setType(name, type)}
                    allowDeselect={false}
                    disabled={!isIn}
                  />
                </Table.Td>
                <Table.Td className="mono" maw={220}>
                  <Text size="xs" truncate c={isIn ? undefined : 'dimmed'}>
                    {inspection.rows
                      .slice(0, EXAMPLES)
                      .map((row) => shortened(row[place] ?? ''))
                      .join(' · ')}
                  </Text>
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      {columns.length > MOST_COLUMNS && (
        <Text size="sm" c="dimmed" mt={4}>
          And {columns.length - MOST_COLUMNS} more columns, which come in as they are.
        </Text>
      )}
    </ScrollArea.Autosize>
  );
}

const WORDS = { number: 'number', text: 'text', boolean: 'true/false', time: 'time' };
const wordOf = (kind: keyof typeof WORDS) => `Auto: ${WORDS[kind]}`;

/** A button that hides itself cannot keep the focus: it goes to what is entered next. */
function focusUnit(beside: HTMLElement): void {
  beside.closest('tr')?.querySelector<HTMLElement>('input[data-unit]')?.focus();
}

const list = (names: readonly string[]) => (names.length === 0 ? undefined : names.join(','));
