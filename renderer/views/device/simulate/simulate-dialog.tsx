import { Button, Group, SegmentedControl, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Device } from '#shared/schema/schemas.ts';
import { SOURCE_WORDS, type Source } from '#shared/domain/sources.ts';
import { ask } from '../../../bridge/ask.ts';
import { FormDialog } from '../../../components/dialog/form-dialog.tsx';
import { useSubmit } from '../../../components/dialog/use-submit.ts';
import { deviceDetail, deviceKey } from '../../../stores/devices.ts';
import { closeDialog } from '../../../stores/dialog.ts';
import { nowMicros } from '../../../time.ts';
import { KeyFields } from './key-fields.tsx';
import { ReplayFields } from './replay-fields.tsx';
import { Running } from './running.tsx';
import { firstFields, type KeyDraft } from './shape-draft.ts';
import {
  firstDraft,
  readDraft,
  TROUBLE_LABELS,
  type SimulationDraft,
  type TroubleName,
  type Way,
} from './simulation-draft.ts';
import { simulators, useSimulatorsOf } from './simulators.ts';
import classes from './simulate-dialog.module.css';

interface SimulateDialogProps {
  readonly project_id: string;
  readonly device: Pick<Device, 'id' | 'name'>;
}

/** Simulators of a device: those that there are, and what another one is to store. */
export function SimulateDialog({ project_id, device }: SimulateDialogProps) {
  simulators.useWatch('all');
  const key = deviceKey(project_id, device.id);
  deviceDetail.useWatch(key);
  const source = deviceDetail.useValue(key).value?.summary.source ?? null;
  const there = useSimulatorsOf(device.id);
  const [draft, setDraft] = useState<SimulationDraft>(firstDraft);
  const [tried, setTried] = useState(false);
  const set = (change: Partial<SimulationDraft>) => setDraft((before) => ({ ...before, ...change }));
  const read = readDraft(draft, nowMicros());
  const problems = tried && 'problems' in read ? read.problems : {};
  const submit = useSubmit(async () => {
    setTried(true);
    if (!('asked' in read)) return;
    await ask('simulators.create', { project_id, device_id: device.id, ...read.asked });
    closeDialog();
  });
  const { keys } = draft;
  const change = (next: KeyDraft) => set({ keys: keys.map((one) => (one.id === next.id ? next : one)) });
  const add = () => {
    const id = Math.max(...keys.map((one) => one.id)) + 1;
    set({ keys: [...keys, { id, key: '', shape: 'walk', fields: firstFields('walk') }] });
  };
  return (
    <FormDialog title={`Simulate “${device.name}”`} action="Start" submit={submit} size="54rem">
      <Text size="sm" c="dimmed">
        The service stores made-up records as if the device had sent them. They stay when the simulator is
        stopped; a stop of the service ends it.
      </Text>
      {there.length > 0 && <Running simulators={there} />}
      <SegmentedControl
        aria-label="What is stored"
        value={draft.kind}
        onChange={(kind) => set({ kind: kind === 'replay' ? 'replay' : 'shapes' })}
        data={[
          { value: 'shapes', label: 'Values by shapes' },
          { value: 'replay', label: 'Replay of a device' },
        ]}
      />
      {draft.kind === 'shapes' ? (
        <>
          {keys.map((one) => (
            <KeyFields
              key={one.id}
              draft={one}
              every={draft.every}
              seed={draft.seed}
              problems={problems}
              onChange={change}
              {...(keys.length > 1 && {
                onRemove: () => set({ keys: keys.filter(({ id }) => id !== one.id) }),
              })}
            />
          ))}
          <Group>
            <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={add}>
              Another key
            </Button>
          </Group>
          <SimpleGrid cols={{ base: 2, sm: 4 }} spacing="sm">
            <TextInput
              label="A reading every"
              value={draft.every}
              error={problems['every']}
              onChange={(event) => set({ every: event.currentTarget.value })}
            />
            <TextInput
              label="Of the past, first"
              placeholder="none, or 24 h"
              value={draft.history}
              error={problems['history']}
              onChange={(event) => set({ history: event.currentTarget.value })}
            />
            <Common draft={draft} problems={problems} source={source} onChange={set} />
          </SimpleGrid>
        </>
      ) : (
        <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm">
          <ReplayFields draft={draft} problems={problems} device_id={device.id} onChange={set} />
          <Common draft={draft} problems={problems} source={source} onChange={set} />
        </SimpleGrid>
      )}
      <fieldset className={classes['trouble']}>
        <legend>Trouble, in % of the readings</legend>
        <SimpleGrid cols={{ base: 3, sm: 6 }} spacing="xs">
          {(Object.keys(TROUBLE_LABELS) as TroubleName[]).map((name) => (
            <TextInput
              key={name}
              label={TROUBLE_LABELS[name]}
              placeholder="0"
              size="xs"
              value={draft.trouble[name] ?? ''}
              error={problems[name]}
              onChange={(event) => set({ trouble: { ...draft.trouble, [name]: event.currentTarget.value } })}
            />
          ))}
        </SimpleGrid>
      </fieldset>
    </FormDialog>
  );
}

interface CommonProps {
  readonly draft: SimulationDraft;
  readonly problems: Readonly<Record<string, string>>;
  /** Null until it is known. */
  readonly source: Source | null;
  readonly onChange: (change: Partial<SimulationDraft>) => void;
}

/** Seed and way, of shapes and replays alike. */
function Common({ draft, problems, source, onChange }: CommonProps) {
  const ways: readonly { readonly value: Way; readonly label: string }[] = [
    { value: 'store', label: 'Beside the doors' },
    ...(source === null ? [] : [{ value: source, label: `Over ${SOURCE_WORDS[source].label}` }]),
  ];
  return (
    <>
      <TextInput
        label="Seed"
        value={draft.seed}
        error={problems['seed']}
        onChange={(event) => onChange({ seed: event.currentTarget.value })}
      />
      <Select
        label="Comes in"
        allowDeselect={false}
        data={[...ways]}
        value={draft.through}
        onChange={(value) => onChange({ through: ways.find((way) => way.value === value)?.value ?? 'store' })}
      />
    </>
  );
}
