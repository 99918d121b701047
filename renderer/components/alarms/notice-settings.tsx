import { Button, Group, Switch, Text } from '@mantine/core';
import { IconBellRinging, IconVolume } from '@tabler/icons-react';
import { messageOf } from '../../bridge/ask.ts';
import { askToNotify, switchSound, useNotices, type Allowed } from '../../stores/alarms/notices.ts';
import { playSound } from '../../stores/alarms/sound.ts';
import { sayFailed } from '../work/notices.ts';

const WORDS: Readonly<Record<Allowed, string>> = {
  granted: 'This window notifies of alarms whose rules say so, while it is open.',
  default: 'This window may not notify of alarms yet.',
  denied:
    'The browser does not let this window notify of alarms. Allow notifications in its settings of this site, then load the page anew.',
  insecure: 'Browsers let a page notify only over https, or on the machine itself.',
};

/** Whether this window notifies of alarms, and by a sound; kept by the browser. */
export function NoticeSettings() {
  const { allowed, hasSound } = useNotices();
  return (
    <Group gap="md" role="group" aria-label="Notifications of this window">
      <Text size="sm" c="dimmed">
        {WORDS[allowed]}
      </Text>
      {allowed === 'default' && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconBellRinging size={14} />}
          onClick={() => void askToNotify()}
        >
          Allow notifications…
        </Button>
      )}
      <Switch
        size="sm"
        label="Sound, where the rule has one"
        checked={hasSound}
        onChange={({ currentTarget }) => switchSound(currentTarget.checked)}
      />
      {hasSound && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconVolume size={14} />}
          onClick={() => {
            playSound().catch((error: unknown) => sayFailed('Nothing was heard', messageOf(error)));
          }}
        >
          Hear it
        </Button>
      )}
    </Group>
  );
}
