import { Group, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { SearchSelect } from '../../components/dialog/search-select.tsx';

/** Stands for "a new one": nothing has this id. */
export const NEW = '';
const MOST_SHOWN = 50;
/** A name has at most so many characters (docs/api.md, "Fields"). */
const MOST_NAME = 100;

const WORDS = {
  device: {
    into: 'Into',
    name: 'Its name',
    fresh: 'new device',
    choose: 'Choose a device',
    none: 'No such device',
    unnamed: 'A device needs a name.',
  },
  project: {
    into: 'Into the project',
    name: 'Name of the project',
    fresh: 'new project',
    choose: 'Choose a project',
    none: 'No such project',
    unnamed: 'A project needs a name.',
  },
} as const;

interface PlaceProps {
  readonly of: keyof typeof WORDS;
  /** What may be chosen instead of a new one. */
  readonly there: readonly { readonly id: string; readonly name: string }[];
  /** An id, or NEW; null while nobody has chosen. */
  readonly chosen: string | null;
  readonly onChoose: (id: string) => void;
  /** What a new one is called. */
  readonly name: string;
  readonly onName: (name: string) => void;
  /** What is to be said of the name. */
  readonly hint?: string | null;
  /** What else is to be chosen of the place. */
  readonly children?: ReactNode;
}

/** Where records go: into what is there, or into something new, and what that is called. */
export function Place({ of, there, chosen, onChoose, name, onName, hint = null, children }: PlaceProps) {
  const words = WORDS[of];
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Into
      </Text>
      {there.length === 0 ? (
        <Text size="sm" fw={500}>
          a {words.fresh}
        </Text>
      ) : (
        <SearchSelect
          aria-label={words.into}
          size="xs"
          data={[
            { value: NEW, label: `A ${words.fresh}` },
            ...there.map((one) => ({ value: one.id, label: one.name })),
          ]}
          placeholder={words.choose}
          value={chosen}
          onChange={(value) => {
            if (value !== null) onChoose(value);
          }}
          limit={MOST_SHOWN}
          nothingFoundMessage={words.none}
          allowDeselect={false}
          w={210}
        />
      )}
      {chosen === NEW && (
        <>
          <Text size="sm" c="dimmed">
            called
          </Text>
          <TextInput
            aria-label={words.name}
            size="xs"
            dir="auto"
            value={name}
            maxLength={MOST_NAME}
            onChange={(event) => onName(event.currentTarget.value)}
            error={name.trim() === '' && words.unnamed}
            description={hint}
            inputWrapperOrder={['input', 'description', 'error']}
            flex="1 1 240px"
            maw={560}
          />
        </>
      )}
      {children}
    </Group>
  );
}
