import { Button, Group, Text, TextInput } from '@mantine/core';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { SearchSelect } from '../../components/dialog/search-select.tsx';
import { changeItem, nameAfter, readAllLike, setTarget, type FileItem } from '../../import/file-items.ts';
import { LOOK } from '../../stores/picked-files.ts';

interface PlaceRowProps {
  readonly project_id: string;
  readonly item: FileItem;
  readonly devices: readonly FoundDevice[];
  /** Other files with the same columns. */
  readonly alike: number;
}

/** Stands for "a new device": no device has this id. */
const NEW = '';
const MOST_DEVICES = 50;

/** Where a file goes: into a device of the project, or a new one. */
export function PlaceRow({ project_id, item, devices, alike }: PlaceRowProps) {
  const { id, target } = item;
  const isTaken = target.kind === 'new' && devices.some(({ name }) => name === target.name.trim());
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Into
      </Text>
      {project_id === LOOK ? (
        <Text size="sm" fw={500}>
          a new device
        </Text>
      ) : (
        <SearchSelect
          aria-label="Into"
          size="xs"
          data={[
            { value: NEW, label: 'A new device' },
            ...devices.map((device) => ({ value: device.id, label: device.name })),
          ]}
          value={target.kind === 'device' ? target.device_id : NEW}
          onChange={(value) =>
            void setTarget(
              project_id,
              id,
              value ? { kind: 'device', device_id: value } : { kind: 'new', name: nameAfter(item.file) },
            )
          }
          limit={MOST_DEVICES}
          nothingFoundMessage="No such device"
          allowDeselect={false}
          w={200}
        />
      )}
      {target.kind === 'new' && (
        <>
          <Text size="sm" c="dimmed">
            called
          </Text>
          <TextInput
            aria-label="Its name"
            size="xs"
            dir="auto"
            value={target.name}
            maxLength={100}
            onChange={(event) =>
              changeItem(project_id, id, { target: { kind: 'new', name: event.currentTarget.value } })
            }
            error={target.name.trim() === '' && 'A device needs a name.'}
            description={isTaken && 'There is one of this name: to add to it, choose it on the left.'}
            inputWrapperOrder={['input', 'description', 'error']}
            w={220}
          />
        </>
      )}
      {alike > 0 && (
        <Button size="xs" variant="light" onClick={() => readAllLike(project_id, item)}>
          Use for all {alike + 1}
        </Button>
      )}
    </Group>
  );
}
