import { Group, Text, type ComboboxItem } from '@mantine/core';
import type { OtherService } from '#shared/operations/service/other-services.ts';
import { matches } from '#shared/values/text.ts';
import { SearchSelect } from '../../components/dialog/search-select.tsx';
import { ColourDot } from '../other-services/colour-dot.tsx';

/** Stands for an address that is entered, beside the ids of services. */
const ANOTHER = 'another';
/** Of some hundred services as many are listed at once; the others are searched. */
const MOST_LISTED = 100;

interface LabChoiceProps {
  readonly services: readonly OtherService[];
  /** The id of one of them; null: another address. */
  readonly value: string | null;
  readonly onChange: (service: string | null) => void;
  readonly error: string | null;
  readonly busy: boolean;
}

/** Chooses the lab among the services that are known, by name or address, or another one. */
export function LabChoice({ services, value, onChange, error, busy }: LabChoiceProps) {
  const byId = new Map(services.map((service) => [service.id, service]));
  const chosen = value === null ? null : byId.get(value);
  const isFound = (search: string, { value: id, label }: ComboboxItem) =>
    matches(search, label, byId.get(id)?.address ?? '');
  return (
    <SearchSelect
      label="Lab"
      description={
        chosen ? `${chosen.address}, with the API key that is kept` : 'One of Other services, or an address'
      }
      data={[
        { value: ANOTHER, label: 'Another address…' },
        ...services.map(({ id, name, read_only }) => ({ value: id, label: name, disabled: read_only })),
      ]}
      value={value ?? ANOTHER}
      onChange={(id) => onChange(id === ANOTHER ? null : id)}
      filter={({ options, search, limit }) =>
        options.filter((option) => 'value' in option && isFound(search, option)).slice(0, limit)
      }
      limit={MOST_LISTED}
      renderOption={({ option }) => <Option name={option.label} service={byId.get(option.value)} />}
      nothingFoundMessage="No such service"
      allowDeselect={false}
      openOnFocus={false}
      readOnly={busy}
      error={error}
      maxDropdownHeight={300}
    />
  );
}

function Option({ name, service }: { readonly name: string; readonly service: OtherService | undefined }) {
  if (!service) return name;
  return (
    <Group gap={8} wrap="nowrap" style={{ minWidth: 0 }}>
      <ColourDot colour={service.colour} />
      <div style={{ minWidth: 0 }}>
        <Text size="sm" truncate title={name} dir="auto">
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate title={service.address}>
          {service.read_only ? 'Read-only: nothing is changed there from here' : service.address}
        </Text>
      </div>
    </Group>
  );
}
