import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import type { FormerTrailFacts } from '#shared/operations/service/audit.ts';
import { Empty } from '../../../components/screen/empty.tsx';
import { Loading } from '../../../components/work/loading.tsx';
import { Problem } from '../../../components/work/problem.tsx';
import { formatCount } from '../../../format.ts';
import { goTo } from '../../../router.ts';
import { everyDevice } from '../../../stores/devices.ts';
import { projects } from '../../../stores/projects.ts';
import { AuditList } from './audit-list.tsx';
import { useEntries, type AuditShown } from './use-entries.ts';
import { VerifyPart } from './verify-part.tsx';

/** Who changed what: of all, of a project, of a device, or of one of its keys. */
export function AuditPart({ project, device, dataKey, by, trail }: AuditShown) {
  const shown = { project, device, dataKey, by, trail };
  const { entries, former, hasMore, error, isBusy, more, retry } = useEntries(shown);
  const isFiltered = [project, device, dataKey, by].some((each) => each !== undefined);
  return (
    <Stack gap="md">
      <VerifyPart trail={trail} />
      <TrailChoice former={former} shown={shown} />
      <Filter shown={shown} />
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

/** Which trail is shown, where restores of backups brought those of other installations. */
function TrailChoice({
  former,
  shown,
}: {
  readonly former: readonly FormerTrailFacts[];
  readonly shown: AuditShown;
}) {
  if (former.length === 0) return null;
  return (
    <Select
      label="Trail"
      description="Of this service, or what a backup told of where it was made"
      data={[
        { value: '', label: 'This service' },
        ...former.map(({ first, last, sha256 }) => ({
          value: sha256,
          label: `Of a backup: entries ${formatCount(first)} to ${formatCount(last)} · ${sha256.slice(0, 12)}…`,
        })),
      ]}
      value={shown.trail ?? ''}
      allowDeselect={false}
      maw={420}
      onChange={(value) => show({ ...shown, trail: value === null || value === '' ? undefined : value })}
    />
  );
}

function Filter({ shown: { project, device, dataKey, by, trail } }: { readonly shown: AuditShown }) {
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
        show({ project, device, dataKey, trail, by: typed.trim() === '' ? undefined : typed.trim() });
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
          onChange={(value) => show({ project: value ?? undefined, by, trail })}
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
            <Button variant="subtle" onClick={() => show({ project, by, trail })}>
              All devices
            </Button>
          </>
        )}
      </Group>
    </form>
  );
}
