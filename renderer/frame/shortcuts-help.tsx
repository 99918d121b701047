import { Group, Kbd, Modal, Table, Text } from '@mantine/core';
import { Fragment, useState } from 'react';
import { currentActions, keysOf } from '../stores/actions.ts';
import { closeDialog } from '../stores/dialog.ts';

type Alternatives = readonly (readonly string[])[];

/** Shortcuts without a registered action: of the focused element, or of all screens of a kind. */
const KEYS: readonly (readonly [does: string, keys: Alternatives])[] = [
  ['New project, or new device or rule inside a project', [['N']]],
  ['Search the list', [['/']]],
  ['Walk the rows of a list or of the tree; open one', [['↑'], ['↓'], ['Enter']]],
  ['Alarms: select, then acknowledge', [['Space'], ['A']]],
  ['Tree: unfold, fold', [['→'], ['←']]],
  ['Chart: move through time', [['←'], ['→']]],
  ['Chart: closer, further, everything', [['+'], ['−'], ['0']]],
  ['Chart: the view before, and forward again', [['Backspace'], ['Alt', '→']]],
  ['Chart: cursor a record back, forward', [[','], ['.']]],
  ['Chart: cursor to the first, last record', [['Home'], ['End']]],
  ['Chart: mark A, mark B; select between them', [['A'], ['B'], ['S']]],
  [
    'Chart: select record by record',
    [
      ['Shift', '←'],
      ['Shift', '→'],
    ],
  ],
  ['Chart: zoom to the selection, delete it, drop it', [['Enter'], ['Del'], ['Esc']]],
  ['Chart: show a line alone', [['Shift', 'Enter']]],
  ['Chart: next note', [['M']]],
  ['Chart: follow what comes in, or pause; full screen', [['L'], ['F']]],
  ['Dashboard: new widget, full screen', [['N'], ['F']]],
  ['Dashboard, edited: move a widget', [['←'], ['→'], ['↑'], ['↓']]],
  [
    'Dashboard, edited: size a widget',
    [
      ['Shift', '→'],
      ['Shift', '↓'],
    ],
  ],
  ['Dashboard, edited: change a widget, delete it', [['Enter'], ['Del']]],
  ['Close a dialog', [['Esc']]],
];

/** The keys of everything that can be done on the screen below, and those that are always there. */
function allKeys(): readonly (readonly [does: string, keys: Alternatives])[] {
  const registered = new Map<string, Alternatives>();
  for (const { label, shortcut } of currentActions())
    if (shortcut !== undefined && !registered.has(label)) registered.set(label, [keysOf(shortcut)]);
  return [...registered, ...KEYS];
}

/** Help of `?`. */
export function KeysHelp() {
  // As they were when it was opened: below a dialog nothing changes.
  const [known] = useState(allKeys);
  return (
    <Modal opened onClose={closeDialog} title="Keyboard shortcuts" size="md">
      <Table aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {known.map(([does, alternatives]) => (
            <Table.Tr key={does}>
              <Table.Td>{does}</Table.Td>
              <Table.Td w={190}>
                <Group gap={6} justify="flex-end">
                  {alternatives.map((keys) => (
                    <Fragment key={keys.join('+')}>
                      {keys.map((name) => (
                        <Kbd key={name}>{name}</Kbd>
                      ))}
                    </Fragment>
                  ))}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" c="dimmed" mt="sm">
        In the chart, drag over a span of time to select it. The wheel looks closer, along with Shift, and
        over an axis at its values; a double click goes back a step.
      </Text>
    </Modal>
  );
}
