import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { Empty } from '../../../components/screen/empty.tsx';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { goTo } from '../../../router.ts';
import { everyDevice } from '../../../stores/devices.ts';
import { projects } from '../../../stores/projects.ts';
import { AuditList } from './audit-list.tsx';
import { useEntries, type AuditShown } from './use-entries.ts';
import { VerifyPart } from './verify-part.tsx';

/** Who changed what: of all, of a project, of a device, or of one of its keys. */
export function AuditPart({ project, device, dataKey, by }: AuditShown) {
  const { entries, hasMore, error, isBusy, more, retry } = useEntries({ project, device, dataKey, by });
  const isFiltered = [project, device, dataKey, by].some((each) => each !== undefined);
  return (
    <Stack gap="md">
      <VerifyPart />
      <Filter shown={{ project, device, dataKey, by }} />
      {error !== null && <Problem message={error} onRetry={retry} />}
      {!entries && error === null && <Loading h={220} label="Loading the audit trail" />}
      {entries?.length === 0 && (
        <Empty
          icon={IconHistory}
          title={isFiltered ? 'No entry matches the filter' : 'Nothing was changed yet'}
        >
          Every change by people and programs is told here, with who made it and what was before and after.
          Records that devices store are measurements, and not told.
        </Empty>
      )}
      {entries && entries.length > 0 && <AuditList entries={entries} />}
      {hasMore && (
        <Group>
          <Button variant="default" loading={isBusy} onClick={more}>
            Earlier entries
          </Button>
        </Group>
      )}
    </Stack>
  );
}

const show = (shown: AuditShown) => {
  const given = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));
  goTo({ screen: 'service', part: 'audit', ...given });
};

function Filter({ shown: { project, device, dataKey, by } }: { readonly shown: AuditShown }) {
  projects.useWatch('all');
  const { value: found } = projects.useValue('all');
  everyDevice.useWatch('all');
  const { value: placed } = everyDevice.useValue('all');
  const [typed, setTyped] = useState(by ?? '');
  const known = found?.map(({ id, name }) => ({ value: id, label: name })) ?? [];
  // One that is deleted is told of all the same.
  const gone = project !== undefined && !known.some(({ value }) => value === project);
  const options = gone ? [...known, { value: project, label: project }] : known;
  const name =
    device === undefined ? undefined : placed?.find((one) => one.device.id === device)?.device.name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        show({ project, device, dataKey, by: typed.trim() === '' ? undefined : typed.trim() });
      }}
    >
      <Group gap="sm" align="end">
        <Select
          label="Project"
          placeholder="All"
          data={options}
          value={project ?? null}
          searchable
          clearable
          onChange={(value) => show({ project: value ?? undefined, by })}
        />
        <TextInput
          label="Who"
          description="Name of an API key or a user"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Button type="submit" variant="default">
          Show
        </Button>
        {device !== undefined && (
          <>
            <Text size="sm">
              {dataKey === undefined ? 'Device' : `${dataKey} of`} {name ?? device} alone
            </Text>
            <Button variant="subtle" onClick={() => show({ project, by })}>
              All devices
            </Button>
          </>
        )}
      </Group>
    </form>
  );
}
