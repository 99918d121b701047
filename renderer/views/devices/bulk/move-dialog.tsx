import { Text } from '@mantine/core';
import { useState } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { SearchSelect } from '../../../components/dialog/search-select.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { countOf } from '../../../format.ts';
import { compareNames } from '../../../order.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { projects } from '../../../stores/projects.ts';
import { forEachDevice } from './each-device.ts';
import { moveOne, movingBack, type MovedDevice } from './moving.ts';

interface MoveDialogProps {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
}

/** Moves devices to another project. */
export function MoveDialog({ project_id, devices }: MoveDialogProps) {
  projects.useWatch('all');
  const others = (projects.useValue('all').value ?? [])
    .filter(({ id }) => id !== project_id)
    .toSorted((a, b) => compareNames(a.name, b.name));
  const [to, setTo] = useState<string | null>(null);
  const submit = useSubmit(async () => {
    const target = others.find(({ id }) => id === to);
    if (!target) return;
    closeDialog();
    const between = { from: project_id, to: target.id };
    /** Devices that no offered undo covers yet. */
    const moved: MovedDevice[] = [];
    forEachDevice({
      verb: 'Move',
      devices,
      done: `${countOf(devices.length, 'device')} moved to “${target.name}”`,
      async act({ id }) {
        moved.push(await moveOne({ id, widgets: [] }, between));
      },
      undoable() {
        const part = moved.splice(0);
        if (part.length === 0) return null;
        const title = `${countOf(part.length, 'device')} moved to “${target.name}”`;
        return { title, way: movingBack(part, between) };
      },
    });
  });
  return (
    <FormDialog
      title={
        devices.length === 1 ? `Move “${devices[0]?.name}”` : `Move ${countOf(devices.length, 'device')}`
      }
      action="Move"
      submit={submit}
      disabled={to === null}
    >
      <SearchSelect
        label="To project"
        placeholder={others.length === 0 ? 'There is no other project' : 'Choose a project'}
        data={others.map(({ id, name }) => ({ value: id, label: name }))}
        value={to}
        onChange={setTo}
        // What moving means is read first; the list opens when something is typed, by ↓ or by a click.
        openOnFocus={false}
        data-autofocus
      />
      <Text size="sm" c="dimmed">
        Records, tokens, functions, key settings and notes go along, and devices go on storing as they do now.
        Widgets of this project lose them, and have them again when the move is undone.
      </Text>
    </FormDialog>
  );
}
