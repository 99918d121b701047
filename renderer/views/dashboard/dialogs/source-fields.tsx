import { ActionIcon, Button, Fieldset, Group, MultiSelect, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useCallback, useMemo } from 'react';
import { MOST_LINES } from '../../../chart/compare/modes.ts';
import { ask } from '../../../bridge/ask.ts';
import { SearchSelect } from '../../../components/dialog/search-select.tsx';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { shownName } from '../../../components/facts/shown-name.ts';
import { Problem } from '../../../components/work/problem.tsx';
import { useRead } from '../../../components/work/use-read.ts';
import { compareNames } from '../../../order.ts';
import { readAllDevices } from '../../../stores/found-devices.ts';
import { useKeySettings } from '../../../stores/key-settings.ts';
import type { DraftSource, SourceProblem } from './widget-draft.ts';

interface SourceFieldsProps {
  readonly project_id: string;
  readonly sources: readonly DraftSource[];
  readonly problem: SourceProblem | null;
  readonly onChange: (sources: readonly DraftSource[]) => void;
}

/** Devices that are offered at once; the rest is searched. */
const MOST_OFFERED = 50;

/** The devices of a widget, and the keys of each. */
export function SourceFields({ project_id, sources, problem, onChange }: SourceFieldsProps) {
  const read = useCallback(() => readAllDevices(project_id), [project_id]);
  const { value: devices, error, retry } = useRead(read);
  const offered = useMemo(
    () =>
      (devices ?? [])
        .map(({ id, name }) => ({ value: id, label: shownName(name) }))
        .toSorted((a, b) => compareNames(a.label, b.label)),
    [devices],
  );
  const replace = (at: number, source: DraftSource) =>
    onChange(sources.map((one, place) => (place === at ? source : one)));
  const keys = sources.reduce((sum, source) => sum + source.keys.length, 0);
  return (
    <Fieldset legend="Devices and keys" variant="unstyled">
      {error !== null && <Problem message={error} onRetry={retry} />}
      {sources.map((source, at) => (
        <SourceRow
          // Rows have no name of their own, and none is moved.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          project_id={project_id}
          number={at + 1}
          source={source}
          problem={problem?.place === at ? problem : null}
          offered={offered.filter(
            ({ value }) => value === source.device_id || !sources.some((one) => one.device_id === value),
          )}
          onChange={(next) => replace(at, next)}
          {...(sources.length > 1 && {
            onRemove: () => onChange(sources.filter((_, place) => place !== at)),
          })}
        />
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} />}
        onClick={() => onChange([...sources, { device_id: '', keys: sources.at(-1)?.keys ?? [] }])}
      >
        Another device
      </Button>
      {keys > MOST_LINES && (
        <Text size="xs" c="dimmed">
          A chart draws the first {MOST_LINES} of {keys} lines.
        </Text>
      )}
    </Fieldset>
  );
}

interface SourceRowProps {
  readonly project_id: string;
  readonly number: number;
  readonly source: DraftSource;
  readonly problem: SourceProblem | null;
  readonly offered: readonly { readonly value: string; readonly label: string }[];
  readonly onChange: (source: DraftSource) => void;
  readonly onRemove?: () => void;
}

function SourceRow({ project_id, number, source, problem, offered, onChange, onRemove }: SourceRowProps) {
  const { device_id, keys } = source;
  const settingsOf = useKeySettings(project_id);
  const read = useCallback(
    async () => (device_id === '' ? [] : await ask('data.keys', { project_id, device_id })),
    [project_id, device_id],
  );
  const { value, error } = useRead(read);
  const known = [...new Set([...keys, ...(value ?? [])])].toSorted(compareNames);
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap" mb="xs">
      <SearchSelect
        aria-label={`Device ${number}`}
        placeholder="Device"
        flex="1 1 0"
        limit={MOST_OFFERED}
        data={[...offered]}
        value={device_id === '' ? null : device_id}
        onChange={(next) => onChange({ ...source, device_id: next ?? '' })}
        error={problem?.field === 'device' && problem.text}
        nothingFoundMessage="No device matches"
      />
      <MultiSelect
        aria-label={`Keys ${number}`}
        placeholder={keys.length === 0 ? 'Keys' : ''}
        flex="1 1 0"
        searchable
        data={known.map((key) => ({ value: key, label: nameOfKey(key, settingsOf(device_id, key)) }))}
        value={[...keys]}
        onChange={(next) => onChange({ ...source, keys: next })}
        error={problem?.field === 'keys' ? problem.text : error}
        nothingFoundMessage="No key matches"
        hidePickedOptions
      />
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Remove device ${number}`}
          onClick={onRemove}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </Group>
  );
}
