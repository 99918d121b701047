import { Checkbox } from '@mantine/core';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import type { FileItem } from '../../import/files/file-items.ts';
import { isSameDevice, othersOfKind } from '../../import/files/file-kinds.ts';
import { nameAfter } from '../../import/files/file-names.ts';
import { placeTogether } from '../../import/files/look-at-files.ts';
import { place } from '../../import/files/place-files.ts';
import { NEW, Place } from './place.tsx';

interface FilePlaceProps {
  /** LOOK where no project was chosen yet. */
  readonly project_id: string;
  readonly item: FileItem;
  readonly items: readonly FileItem[];
  /** Devices that it may go into. */
  readonly devices: readonly FoundDevice[];
}

/** Where a file goes, and whether the others of its kind go there, too: one logger's days, rather than many loggers. */
export function FilePlace({ project_id, item, items, devices }: FilePlaceProps) {
  const { id, target, isTogether } = item;
  const others = othersOfKind(item, items);
  // Files that were dropped on a device are all for that one.
  const mayBeTogether =
    others.length > 0 && (isTogether || others.some((other) => !isSameDevice(item, other)));
  const count = 1 + (isTogether ? others.filter((other) => other.isTogether) : others).length;
  const isTaken = target.kind === 'new' && devices.some(({ name }) => name === target.name.trim());
  return (
    <Place
      of="device"
      there={devices}
      chosen={target.kind === 'device' ? target.device_id : NEW}
      onChoose={(device_id) =>
        place(
          project_id,
          id,
          device_id === NEW ? { kind: 'new', name: nameAfter(item.file) } : { kind: 'device', device_id },
        )
      }
      name={target.kind === 'new' ? target.name : ''}
      onName={(name) => place(project_id, id, { kind: 'new', name })}
      hint={isTaken ? 'There is one of this name: to add to it, choose it on the left.' : null}
    >
      {mayBeTogether && (
        <Checkbox
          size="xs"
          label={`All ${count} of this kind into one device`}
          checked={isTogether}
          onChange={(event) => placeTogether(project_id, id, event.currentTarget.checked)}
        />
      )}
    </Place>
  );
}
