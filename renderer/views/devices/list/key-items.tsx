import { Text, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { FoundDevice } from '#shared/operations/metadata/devices.ts';
import { matches } from '#shared/values/text.ts';
import { countOf, shortened } from '../../../format.ts';
import { useProjectKeys } from './use-project-keys.ts';

/** Drawn at once; the rest is searched. */
const MOST_LISTED = 100;
/** So many are seen at a glance. */
const MOST_UNSEARCHED = 8;

interface KeyItemsProps {
  readonly project_id: string;
  readonly devices: readonly FoundDevice[];
  /** Those that stand first. */
  readonly chosen: readonly string[];
  readonly nameOf: (key: string) => string;
  readonly renderItem: (key: string) => ReactNode;
}

/** Makes a dropdown with a search among its items a dialog around menus: a menu itself holds items alone. */
export function withSearch(dropdown: HTMLElement | null): void {
  dropdown?.setAttribute('role', 'dialog');
  dropdown?.removeAttribute('aria-orientation');
}

/** The keys of a project as a menu in an open dropdown, with a search where there are many. */
export function KeyItems({ project_id, devices, chosen, nameOf, renderItem }: KeyItemsProps) {
  const [search, setSearch] = useState('');
  const { keys, isLoading, isWhole } = useProjectKeys(project_id, devices);
  const offered = [...chosen, ...keys.filter((key) => !chosen.includes(key))];
  const found = offered.filter((key) => matches(search, key, nameOf(key)));
  const left = found.length - MOST_LISTED;
  return (
    <>
      {offered.length > MOST_UNSEARCHED && (
        <TextInput
          size="xs"
          mx={8}
          mb={4}
          aria-label="Search keys"
          placeholder="Search keys"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          // Letters are the field's; arrows and Esc stay the menu's.
          onKeyDown={(event) => {
            if (event.key.length === 1 || event.key === 'Home' || event.key === 'End')
              event.stopPropagation();
          }}
        />
      )}
      {found.length > 0 && (
        <div role="menu" aria-label="Keys">
          {found.slice(0, MOST_LISTED).map(renderItem)}
        </div>
      )}
      {isLoading ? (
        <Words text="Looking for more keys…" />
      ) : left > 0 ? (
        <Words text={`And ${countOf(left, 'more key')}: search for one.`} />
      ) : (
        found.length === 0 && <Words text="No such key." />
      )}
      {!isWhole && (
        <Words text="There are more devices or keys than are looked at: some keys may be missing here." />
      )}
    </>
  );
}

/** The name of a key in an item, cut at its end where the menu is. */
export function KeyName({ name }: { readonly name: string }) {
  return (
    <Text component="bdi" display="block" inherit truncate title={name}>
      {shortened(name, 100)}
    </Text>
  );
}

function Words({ text }: { readonly text: string }) {
  return (
    <Text size="xs" c="dimmed" px="sm" py={4} role="status">
      {text}
    </Text>
  );
}
