import { Badge } from '@mantine/core';

interface TagsProps {
  readonly tags: readonly string[];
  /** More than these are counted. */
  readonly most: number;
}

export function Tags({ tags, most }: TagsProps) {
  const hidden = tags.slice(most);
  return (
    <>
      {tags.slice(0, most).map((tag) => (
        <Badge key={tag} variant="light" size="sm" tt="none" fw={500} title={tag}>
          {tag}
        </Badge>
      ))}
      {hidden.length > 0 && (
        <Badge
          variant="light"
          size="sm"
          tt="none"
          fw={500}
          title={hidden.join(', ')}
          style={{ flexShrink: 0 }}
        >
          +{hidden.length}
        </Badge>
      )}
    </>
  );
}
