import { Box, Group, Text } from '@mantine/core';
import type { Icon } from '@tabler/icons-react';

/** Line on every screen of what a rig has set, so that nobody takes the service for one in use. */
export function RigLine({
  label,
  icon: Sign,
  text,
}: {
  readonly label: string;
  readonly icon: Icon;
  readonly text: string;
}) {
  return (
    <Box component="section" aria-label={label} bg="yellow.3" c="dark.9" py={5} px="lg">
      <Group gap="sm" justify="center" wrap="nowrap">
        <Sign size={16} aria-hidden />
        <Text size="sm" fw={500} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {text}
        </Text>
      </Group>
    </Box>
  );
}
