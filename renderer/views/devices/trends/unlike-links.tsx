import { Anchor } from '@mantine/core';
import { memo } from 'react';
import { nameOfKey } from '../../../components/facts/key-words.ts';
import { formatCount, shortenedKey } from '../../../format.ts';
import { useUsualSettings } from '../../../stores/key-settings.ts';
import type { ListChange } from '../shown/use-list-address.ts';
import type { Trend } from './use-trend.ts';

interface UnlikeLinksProps {
  readonly project_id: string;
  readonly unlike: Trend['unlike'];
  readonly onChange: (change: ListChange) => void;
}

/** ` · 1 unlike the others in temperature`, by key; a press brings them to the top. */
export const UnlikeLinks = memo(function UnlikeLinks({ project_id, unlike, onChange }: UnlikeLinksProps) {
  const usualOf = useUsualSettings(project_id);
  return unlike.map(({ key, count }) => (
    <span key={key}>
      {' · '}
      <Anchor
        component="button"
        type="button"
        inherit
        onClick={() => onChange({ trend: key, sort: { column: 'deviation', descending: true } })}
      >
        {formatCount(count)} unlike the others in <bdi>{shortenedKey(nameOfKey(key, usualOf(key)), 40)}</bdi>
      </Anchor>
    </span>
  ));
});
