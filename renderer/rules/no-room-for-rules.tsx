import { Text } from '@mantine/core';
import { MOST_RULES } from '#shared/domain/rules.ts';
import type { DeviceFunction } from '#shared/schema/schemas.ts';
import { countOf } from '../format.ts';

/** Whether a project has as many rules as it may; `rules` are all of them, null while they are not known. */
export const isFullOf = (rules: readonly DeviceFunction[] | null): boolean =>
  rules !== null && rules.length >= MOST_RULES;

/** Reason why a project takes no further rule. */
export function NoRoomForRules() {
  return (
    <Text size="sm" c="dimmed">
      A project holds at most {countOf(MOST_RULES, 'rule')}, those of its devices and those by tag. To make
      another, delete one first.
    </Text>
  );
}
