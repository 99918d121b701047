import { TagsInput, type TagsInputProps } from '@mantine/core';

/** Tags that are typed. There is no list to choose from: an invisible one would keep the first Escape from the dialog. */
export function NewTags(props: TagsInputProps) {
  return <TagsInput dropdownOpened={false} acceptValueOnBlur {...props} />;
}
