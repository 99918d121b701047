import { Group, Kbd, Modal, Table, Text } from '@mantine/core';
import { Fragment } from 'react';
import { closeDialog } from '../stores/dialog.ts';

const KEYS: readonly (readonly [does: string, keys: readonly string[][]])[] = [
  ['Go to a project or device, or do something', [['Ctrl', 'K']]],
  ['Show these keys', [['?']]],
  ['New project, or new device inside a project', [['N']]],
  ['Search the list', [['/']]],
  ['Walk the rows of a list; open one', [['↑'], ['↓'], ['Enter']]],
  ['Chart: move through time', [['←'], ['→']]],
  ['Chart: closer, further', [['+'], ['−']]],
  ['Chart: everything', [['0']]],
  ['Close a dialog', [['Esc']]],
];

/** What `?` shows. */
export function KeysHelp() {
  return (
    <Modal opened onClose={closeDialog} title="Keyboard shortcuts" size="md">
      <Table aria-label="Keyboard shortcuts">
        <Table.Tbody>
          {KEYS.map(([does, alternatives]) => (
            <Table.Tr key={does}>
              <Table.Td>{does}</Table.Td>
              <Table.Td w={150}>
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
        In the chart, drag over a span of time to look closer; a double click shows everything again.
      </Text>
    </Modal>
  );
}
