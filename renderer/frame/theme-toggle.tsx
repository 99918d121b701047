import { ActionIcon, Tooltip, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const;
const SHOWN = {
  auto: { label: 'Theme: as the system', icon: IconDeviceDesktop },
  light: { label: 'Theme: light', icon: IconSun },
  dark: { label: 'Theme: dark', icon: IconMoon },
};

/** Toggle of the theme: as the system, light, dark. */
export function ThemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { label, icon: Icon } = SHOWN[colorScheme];
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={label}
        onClick={() => setColorScheme(NEXT[colorScheme])}
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
